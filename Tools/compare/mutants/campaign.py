"""A campaign: generates mutants, runs them on both sides, and compares and counts the results."""
import os
import subprocess

import numpy as np

from comparison import report

from . import causes, mutant, summary
from .findings import BOTH_REFUSE, EQUAL, WE_RUN, Finding, findings_of
from .golden_set import GoldenSet
from .model_file import operator_name, read_model
from .ours import Verifier, records_of
from .reference import RAN, Job, run_all


class Campaign:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.golden = GoldenSet(arguments.golden)
        self.versions = newest_versions(self.golden)
        self.verifier = Verifier(arguments.swiftlet, os.path.join(folder, 'verify'), arguments.threads)

    def mutant(self, number):
        return mutant.make(number, self.arguments.seed, self.golden, self.versions)

    def run(self):
        """Prints the report. Returns whether every difference is explained."""
        counts = summary.Counts()
        last = self.arguments.first + self.arguments.count
        for first in range(self.arguments.first, last, self.arguments.batch):
            made = [self.mutant(number) for number in range(first, min(first + self.arguments.batch, last))]
            if self.arguments.only:
                made = [m for m in made if m.entry['operator'] in self.arguments.only]
            for finding in self.compare(made):
                finding.cause = causes.cause_of(finding)
                counts.add(finding)
            report.progress('%d mutants' % (first + self.arguments.batch), counts.line)
        summary.print_report(counts, self.arguments)
        if self.arguments.findings:
            summary.write_findings(counts, self.arguments.findings)
        return counts.is_explained

    def compare(self, made):
        """Returns the findings of some mutants. Mutants with differences run again alone."""
        answers = run_all([Job(m) for m in made])
        found = self.verified(made, answers)
        suspects = {finding.number for finding in found if finding.kind not in (EQUAL, BOTH_REFUSE, WE_RUN)}
        again = [m for m in made if m.number in suspects]
        repeated = [alone(Job(m)) for m in again]
        unstable = {m.number for m, given in zip(again, repeated) if not same(given, answers[made.index(m)])}
        results = [finding for finding in found if finding.number not in suspects] + self.verified(again, repeated)
        for finding in results:
            finding.is_unstable = finding.number in unstable
        return results

    def verified(self, made, answers):
        records = [record for m, given in zip(made, answers) for record in records_of(m, given)]
        return list(findings_of(made, answers, self.verifier.verify(records)))

    def show(self, number, folder):
        """Prints everything about one mutant."""
        made = self.mutant(number)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, 'mutant%05d.tflite' % number)
        with open(path, 'wb') as file:
            file.write(made.content)
        print(made.name, *made.notes, path, sep='\n  ')
        subprocess.run([self.arguments.swiftlet, 'inspect', path])
        inputs = []
        for step, values in enumerate(made.steps):
            for position, array in enumerate(values):
                print('step %d, input %d: %s %s' % (step, position, array.dtype, array.tolist()))
                if array.dtype != object:
                    inputs.append(os.path.join(folder, 'input%d.npy' % position))
                    np.save(inputs[-1], array)
        for mode, answer in alone(Job(made)).items():
            print(mode, answer.kind, answer.reason or [[(a.dtype.name, a.tolist(), q) for _, a, q in outputs] for _, outputs in answer.steps])
        for numerics in ('fast', 'bit-exact'):
            given = subprocess.run([self.arguments.swiftlet, 'run', path, *sum((['--input', i] for i in inputs), []), '--numerics', numerics,
                                    '--output-dir', os.path.join(folder, numerics)], capture_output=True, text=True)
            print(numerics, given.stderr.strip())
            for name in sorted(os.listdir(os.path.join(folder, numerics)) if given.returncode == 0 else []):
                if name.endswith('.npy'):
                    print(name, np.load(os.path.join(folder, numerics, name)).tolist())


def newest_versions(golden):
    """Returns the newest version of every operator in the golden models."""
    newest = {}
    for entry in golden.entries:
        model = read_model(golden.model(entry))
        for operator in [o for graph in model.subgraphs for o in graph.operators or []]:
            name = operator_name(model, operator)
            newest[name] = max(newest.get(name, 1), model.operatorCodes[operator.opcodeIndex].version)
    return newest


def alone(job):
    """Runs every resolver in a process of its own."""
    return {mode: run_all([job], (mode,))[0][mode] for mode in ('builtin_ref', 'builtin', 'xnnpack')}


def same(first, second):
    """Returns whether two of LiteRT's resolvers gave the same results."""
    for mode, one in first.items():
        other = second[mode]
        if one.kind != other.kind:
            return False
        if one.kind == RAN and any(not equal(a, b) for step, again in zip(one.steps, other.steps) for (_, a, _), (_, b, _) in zip(step[1], again[1])):
            return False
    return True


def equal(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and (a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes())
