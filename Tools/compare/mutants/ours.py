"""Swiftlet's side: many mutants in one run of `swiftlet verify`."""
import json
import os
import shutil
import subprocess

from golden_models.packing import Packer, difference

from .reference import RAN

NUMERICS = ('fast', 'bit-exact')
SECONDS = 600


class Verifier:
    """Writes manifests to a directory and verifies them."""

    def __init__(self, tool, folder, threads):
        self.tool, self.folder, self.threads = tool, folder, threads

    def verify(self, records):
        """Returns, by numerics and name, the cases that `verify` reports for every record; None for a record that terminates the process."""
        return {numerics: self.cases(records, numerics) for numerics in NUMERICS}

    def cases(self, records, numerics):
        if not records:
            return {}
        found = self.attempt(records, numerics)
        if found is not None:
            return found
        if len(records) == 1:
            return {records[0]['model']: None}
        # A record terminated the process: it is found by bisection.
        middle = len(records) // 2
        return {**self.cases(records[:middle], numerics), **self.cases(records[middle:], numerics)}

    def attempt(self, records, numerics):
        shutil.rmtree(self.folder, ignore_errors=True)
        packer = Packer()
        models = [record(packer) for record in (r['write'] for r in records)]
        packer.write(self.folder, {'format': 1, 'seed': 0, 'byte_order': 'little', 'generator': {}, 'models': models, 'skipped': []})
        try:
            process = subprocess.run(
                [self.tool, 'verify', os.path.join(self.folder, 'manifest.json'), '--numerics', numerics, '--threads', str(self.threads), '--json'],
                capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None
        if process.returncode not in (0, 1) or not process.stdout:
            return None
        found = {}
        for case in json.loads(process.stdout)['cases']:
            found.setdefault(case['model'], []).append(case)
        return found


def record(mutant, name, expected, fast):
    """Returns a manifest's entry for a mutant: the results of one of LiteRT's resolvers, together with XNNPACK's.

    expected: the steps of a result, or None if there is none; then the entry has no outputs, and `verify` only reports whether Swiftlet runs it.
    """
    def write(packer):
        entry = {'model': name, **packer.model(mutant.content), 'cases': []}
        if not mutant.is_retyped:
            entry['arithmetic'] = mutant.entry['arithmetic']
        if mutant.is_stateful:
            entry['stateful'] = True
        if mutant.signature:
            entry['signature'] = mutant.signature.signatureKey.decode()
        for step, values in enumerate(mutant.steps):
            plain = {'scales': [], 'zero_points': [], 'axis': 0}
            outputs = expected[step][1] if expected else []
            others = [array for _, array, _ in fast[step][1]] if fast else [None] * len(outputs)
            entry['cases'].append({
                'name': 'step%d' % step,
                'inputs': [packer.tensor(i, 'input%d' % i, array, plain) for i, array in enumerate(values)],
                'outputs': [{**packer.tensor(i, *output), **difference(output[1], others[i])} for i, output in enumerate(outputs)]})
        return entry
    return {'model': name, 'write': write}


def records_of(mutant, answers):
    """Returns an entry for each of LiteRT's resolvers that ran the mutant, or one without results if none did."""
    ran = {mode: answer.steps for mode, answer in answers.items() if answer.kind == RAN}
    fast = ran.get('xnnpack')
    if not ran:
        return [record(mutant, '%05d none' % mutant.number, None, None)]
    return [record(mutant, '%05d %s' % (mutant.number, mode), steps, fast) for mode, steps in ran.items()]
