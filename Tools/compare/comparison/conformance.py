"""Compares models of any kind with the reference kernels."""
import hashlib
import importlib
import json
import os
import shutil
import subprocess

from . import interpreter, report, values
from .entries import entries

NUMERICS = ('fast', 'bit-exact')
# Larger models only run one step, because the reference kernels are slow, and small models suffice to test state.
SMALL_MODEL = 1 << 20


def models(folders, only):
    """Returns (folder, path) of every model in the directories, without duplicates."""
    known = set()
    for folder in folders:
        for root, subfolders, files in os.walk(folder):
            subfolders.sort()
            for name in sorted(files):
                path = os.path.join(root, name)
                if not name.endswith('.tflite') or only and only not in path:
                    continue
                with open(path, 'rb') as file:
                    digest = hashlib.sha256(file.read()).digest()
                if digest not in known:
                    known.add(digest)
                    yield folder, path


class Result:
    """The result of one model."""

    def __init__(self, folder, path):
        self.name = os.path.relpath(path, os.path.dirname(os.path.abspath(folder)))
        self.group = os.path.dirname(self.name)
        self.reference = None       # the kernels that ran it: builtin_ref or builtin
        self.refusal = None         # the reason why no reference loads it
        self.stops = None           # the reason why the reference loads it but does not run it
        self.is_supported = False   # whether `swiftlet inspect` reports it as supported
        self.missing = None         # the reason why not
        self.failures = {}          # numerics -> differences
        self.note = None

    @property
    def is_loaded(self):
        return self.refusal is None

    def agrees(self, numerics):
        return self.reference is not None and numerics not in self.failures

    @property
    def fails(self):
        return self.reference is not None and not self.is_supported or bool(self.failures)

    @property
    def verdict(self):
        if not self.is_loaded:
            return 'the reference refuses it: ' + self.refusal
        if self.stops:
            return 'the reference stops: ' + self.stops
        if not self.is_supported:
            return 'REFUSED: ' + (self.missing or 'no reason given')
        return '; '.join('%s DIFFERS: %s' % item for item in self.failures.items()) or self.note or 'equal'


class Check:
    def __init__(self, tool, folder, threads, seed, timeout, keeps):
        self.tool, self.folder, self.threads, self.seed, self.timeout, self.keeps = tool, folder, threads, seed, timeout, keeps
        # Every attempt is a fork of this process and need not import it again.
        importlib.import_module('ai_edge_litert.interpreter')

    def run(self, folder, path):
        result = Result(folder, path)
        result.is_supported, result.missing = self.support(path)
        with open(path, 'rb') as file:
            content = file.read()
        try:
            found = entries(content)
        except Exception as error:
            result.refusal = 'not a model: %r' % error
            return result
        from golden_models.packing import Packer
        packer, described, alternatives = Packer(), [], []
        try:
            for entry in found:
                for record, alternative in self.expectations(path, content, entry, packer, result):
                    described.append(record)
                    alternatives.append(alternative)
        except interpreter.Refused as refusal:
            if refusal.is_loaded:
                result.stops = str(refusal)
            else:
                result.refusal = str(refusal)
            return result
        target = os.path.join(self.folder, result.name)
        result.reference = described[0]['reference']
        if result.is_supported:
            self.compare(result, path, target, packer, described, alternatives)
        if not self.keeps:
            shutil.rmtree(target, ignore_errors=True)
        return result

    def compare(self, result, path, target, packer, described, alternatives):
        def write(records):
            packer.write(target, {'format': 1, 'seed': self.seed, 'byte_order': 'little', 'generator': {}, 'models': records, 'skipped': []})

        def failure(numerics, records):
            write(records)
            return self.verify(os.path.join(target, 'manifest.json'), os.path.dirname(path), numerics)

        failures = {numerics: failure(numerics, described) for numerics in NUMERICS}
        # Fast numerics rounds as XNNPACK does: a difference of one step in a tensor can select another row of a detection.
        if failures['fast'] and all(alternatives) and not failure('fast', alternatives):
            failures['fast'] = None
            result.note = 'fast equals XNNPACK, which differs from the reference'
            write(described)
        result.failures = {numerics: text for numerics, text in failures.items() if text}

    # ------------------------------------------------------------ the reference

    def expectations(self, path, content, entry, packer, result):
        """Returns the manifest's entries for one entry point, each with XNNPACK's outputs."""
        seed = '%d/%s' % (self.seed, result.name)
        steps = 2 if len(content) < SMALL_MODEL else 1
        mode, answers = self.reference(path, entry, seed, values.RECIPES, steps)
        described = [self.describe(path, mode, entry, answers, packer, 'step')]
        if entry.has_unknown_dimensions:
            recipes = [recipe.resized(3) for recipe in values.RECIPES if recipe.unknown is None]
            try:
                mode, answers = self.reference(path, entry, seed, recipes, 1)
            except interpreter.Refused:
                return described
            described.append(self.describe(path, mode, entry, answers, packer, 'resized'))
        return described

    def reference(self, path, entry, seed, recipes, steps):
        """Returns the first reference, and the first values, that work."""
        first = None
        for mode in ('builtin_ref', 'builtin'):
            refused = set()
            for recipe in recipes:
                # If a model is not loaded with these sizes, it is not loaded with other values either.
                if recipe.unknown in refused or recipe.unknown and not entry.has_unknown_dimensions:
                    continue
                try:
                    return mode, interpreter.run(path, mode, entry, recipe.chooser(seed, steps), self.timeout)
                except interpreter.Refused as refusal:
                    if refusal.is_final and refusal.is_loaded:
                        raise
                    if not refusal.is_loaded:
                        refused.add(recipe.unknown)
                    if first is None or refusal.is_loaded and not first.is_loaded:
                        first = refusal
        raise first

    def describe(self, path, mode, entry, answers, packer, label):
        from golden_models.packing import difference
        given = [[array for _, array, _ in inputs] for inputs, _ in answers]
        try:
            others = interpreter.run(path, 'xnnpack', entry, lambda *_: given, self.timeout)
        except interpreter.Refused:
            others = [None] * len(answers)
        cases, alternative = [], []
        for number, ((inputs, outputs), other) in enumerate(zip(answers, others)):
            fast = [array for _, array, _ in other[1]] if other else [None] * len(outputs)
            case = {'name': '%s%s%d' % (entry.signature + ' ' if entry.signature else '', label, number),
                    'inputs': [packer.tensor(i, *t) for i, t in enumerate(inputs)]}
            cases.append({**case, 'outputs': [{**packer.tensor(i, *t), **difference(t[1], fast[i])} for i, t in enumerate(outputs)]})
            if other:
                alternative.append({**case, 'outputs': [packer.tensor(i, *t) for i, t in enumerate(other[1])]})
        record = {'model': os.path.basename(path), 'reference': mode, 'stateful': True, 'cases': cases}
        if entry.signature:
            record['signature'] = entry.signature
        return record, {**record, 'reference': 'xnnpack', 'cases': alternative} if alternative else None

    # ------------------------------------------------------------ ours

    def support(self, path):
        """Returns whether the tool reports the model as supported, and the reason if it doesn't."""
        code, output, errors = self.call('inspect', path)
        if code != 0:
            return False, errors
        document = json.loads(output)
        missing = ['%s version %s at %s: %s' % (o['op'], o['version'], o['index'], o['reason']) for o in document['unsupported']]
        return document['supported'], '; '.join(missing) or document.get('error')

    def verify(self, manifest, folder, numerics):
        """Returns the failure, or None."""
        code, output, errors = self.call('verify', manifest, '--models', folder, '--numerics', numerics, '--threads', str(self.threads))
        if code not in (0, 1) or not output:
            return errors or 'ended with code %s' % code
        for case in json.loads(output)['cases']:
            if case['ok']:
                continue
            if case.get('error'):
                return '%s: %s' % (case['case'], case['error'])
            output = next(o for o in case['outputs'] if not o['ok'])
            return '%s: output %s: %s' % (case['case'], output['name'], output.get('error') or 'off by %s (%s steps, %s of all), allowed %s' % tuple(
                output[key] for key in ('max_abs_error', 'max_step_error', 'mismatch_share', 'tolerance')))
        return None

    def call(self, *words):
        try:
            process = subprocess.run([self.tool, *words, '--json'], capture_output=True, text=True, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return None, '', 'took longer than %g seconds' % self.timeout
        return process.returncode, process.stdout, process.stderr.strip()


def print_report(results, all_rows):
    from importlib.metadata import version
    print('ai-edge-litert %s, %d models.\n' % (version('ai-edge-litert'), len(results)))
    rows = [(group,) + counts([result for result in results if result.group == group]) for group in sorted({result.group for result in results})]
    report.table(('folder', 'tried', 'the reference loads', 'and runs', 'Swiftlet loads of these', 'equal, fast', 'equal, bit-exact'),
                 rows + [('**all**',) + counts(results)])
    for title, chosen in (('Models that fail', [r for r in results if r.fails]),
                          ('Models that the reference loads, but does not run on any values tried', [r for r in results if r.is_loaded and r.stops]),
                          ('Every model', results if all_rows else [])):
        if chosen:
            print('\n%s:\n' % title)
            report.table(('model', 'reference', 'result'), [(r.name, r.reference or '', r.verdict) for r in chosen])


def counts(results):
    ran = [result for result in results if result.reference is not None]
    return (len(results), sum(r.is_loaded for r in results), len(ran), sum(r.is_supported for r in ran),
            *(sum(r.is_supported and r.agrees(numerics) for r in ran) for numerics in NUMERICS))
