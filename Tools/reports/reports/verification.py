"""Golden tensors, other models, tokenizers, memory of streams, reduced precision, and broken files."""
import json
import os
import re
import sys

from . import compared, page

GENERATED = os.path.join(page.ROOT, 'Tests', 'Engine', 'SwiftletOperatorsTests', 'Golden')
NUMERICS, THREADS = ('fast', 'bit-exact'), (1, 3)
# The first option of a pair is for --short.
FRAMES, MUTANTS, IMAGES, LINES = (100, 2000), (50, 1000), (20, 200), (200, 10000)
SEED = 1
OUTCOMES = ('accepted', 'refused', 'crash', 'bad exit', 'hangs')
# The heads of tables that commands print, as on the page.
MODELS_HEAD = {'folder': 'Folder', 'tried': 'Models', 'the reference loads': 'Loaded by the reference', 'and runs': 'Run by the reference',
               'Swiftlet loads of these': 'Of these, loaded by Swiftlet', 'equal, fast': 'Equal, fast', 'equal, bit-exact': 'Equal, bit-exact',
               'model': 'Model', 'reference': 'Reference', 'result': 'Result'}
TOKENIZERS_HEAD = {'tokenizer': 'Tokenizer', 'lines': 'Lines', 'numbers': 'Token IDs', 'unknown': 'Unknown words',
                   'differ from the package': 'Lines that differ from `tokenizers`', 'differ from MediaPipe': 'Lines that differ from MediaPipe'}


def measure(options):
    versions = compared.versions(options, 'ai-edge-litert', 'mediapipe', 'tokenizers')
    return {'origin': page.origin(compared.command('verification', options), *versions), 'golden': golden(options), 'models': models(options),
            'precision': precision(options), 'tokenizers': tokenizers(options), 'streams': streams(options), 'mutants': mutants(options)}


def of(pair, options):
    return pair[0] if options.short else pair[1]


# ------------------------------------------------------------ golden tensors

def golden(options):
    sets = {'Published': os.path.join(options.data, 'golden'), 'Generated': GENERATED}
    found = []
    for name, folder in sets.items():
        for numerics in NUMERICS:
            for threads in THREADS:
                words = [options.swiftlet, 'verify', os.path.join(folder, 'manifest.json'), '--numerics', numerics, '--threads', str(threads), '--json']
                if options.short:
                    words += ['--only', 'fa']
                text = compared.captured(options, f'verify-{name.lower()}-{numerics}-{threads}.json', words, compares=True)
                found.append((name, numerics, threads, json.loads(text)['cases']))
    with open(os.path.join(GENERATED, 'manifest.json'), encoding='utf-8') as file:
        skipped = len(json.load(file)['skipped'])
    with open(os.path.join(GENERATED, 'further_inputs.txt'), encoding='utf-8') as file:
        further = sum(1 for line in file if line.strip())
    return golden_text(found, skipped, further)


def golden_text(found, skipped, further):
    rows, failed = [], {}
    for name, numerics, threads, cases in found:
        passed, models_of = sum(case['ok'] for case in cases), {case['model'] for case in cases}
        rows.append((name, *map(compared.grouped, (len(models_of), len(cases))), numerics, threads, *map(compared.grouped, (passed, len(cases) - passed))))
        for case in cases:
            if not case['ok']:
                failed.setdefault(f'`{case["model"]}` {case["case"]}', []).append(f'{numerics} on {threads} thread{"s" * (threads > 1)}')
    table = page.table(('Golden tensors', 'Models', 'Cases', 'Numerics', 'Threads', 'Passed', 'Failed'), rows)
    failures = '\n'.join(f'- {name} fails: {", ".join(places)}' for name, places in failed.items())
    line = (f'The manifest of the generated models lists {skipped} more combinations, which are missing or wrong in the reference. '
            f'`swift test` runs {compared.grouped(further)} of the generated models on up to three more inputs each.')
    return '\n\n'.join(filter(None, [table, failures, compared.wrapped(line)]))


# ------------------------------------------------------------ models and tokenizers

def models(options):
    words = [compared.peers(options), compared.tool('compare/models'), '--swiftlet', options.swiftlet, os.path.join(options.data, 'models')]
    if options.short:
        words += ['--only', os.path.join('models', 'face')]
    return models_text(compared.captured(options, 'models.md', words, compares=True))


def models_text(text):
    """Returns the tables of Tools/compare/models without the line of the version, which the page's origin states."""
    found = compared.parts(text)[1:]
    for part in found:
        if isinstance(part, compared.Table):
            rename(part, MODELS_HEAD)
    return compared.tidy(found)


def rename(table, heads):
    table.head = [heads.get(cell, cell) for cell in table.head]


def tokenizers(options):
    words = [compared.peers(options), compared.tool('compare/tokenizers'), '--swiftlet', options.swiftlet]
    words += ['--lines', str(of(LINES, options)), '--seed', str(SEED)]
    return tokenizers_text(compared.captured(options, 'tokenizers.md', words, compares=True))


def tokenizers_text(text):
    table = compared.tables(text)[0]
    rename(table, TOKENIZERS_HEAD)
    match = re.search(r'(\d+) lines, seed (\d+), (\d+) characters, (\d+) different ones\.', text)
    line, seed, characters, different = (compared.grouped(int(count)) for count in match.groups())
    return compared.wrapped(f'{line} lines with {characters} characters, {different} of them different (seed {seed}):') + '\n\n' + table.text


# ------------------------------------------------------------ precision, streams, and mutants

def precision(options):
    words = [compared.peers(options), compared.tool('compare/precision'), '--swiftlet', options.swiftlet, '--data', options.data]
    if options.short:
        words += ['--only', 'face/']
    return compared.tidy(compared.parts(compared.captured(options, 'precision.md', words)))


def streams(options):
    path = os.path.join(options.work, 'soak.json')
    words = [options.benchmarks, '--suite', 'soak', '--threads', '1', '--frames', str(of(FRAMES, options)), '--json', path]
    if not (options.reuse and os.path.exists(path)):
        compared.captured(options, 'soak.txt', words, env={'SWIFTLET_TEST_DATA': os.path.abspath(options.data)})
    with open(path, encoding='utf-8') as file:
        return streams_text(json.load(file)['live_streams'])


def streams_text(found):
    rows = [(stream['task'], f'`{stream["model"]}`', *(compared.grouped(stream[key]) for key in ('frames', 'results', 'dropped')),
             f'{stream["memory_growth_bytes"] / 1e3:,.0f}') for stream in found]
    return page.table(('Task', 'Model', 'Frames', 'Results', 'Dropped', 'Growth of peak memory (kB)'), rows)


def mutants(options):
    words = [sys.executable, compared.tool('fuzz/mutate'), '--swiftlet', options.swiftlet, '--data', options.data, '--models', str(of(MUTANTS, options)),
             '--images', str(of(IMAGES, options)), '--seed', str(SEED), '--keep', os.path.join(options.work, 'mutants')]
    return mutants_text(compared.captured(options, 'mutants.txt', words, compares=True))


def mutants_text(text):
    """Returns a row per kind of file. Outcomes of a kind are summed: crashes of all signals, and bad exits of all kinds."""
    rows = []
    for line in text.splitlines():
        match = re.fullmatch(r'\| (models|images) \| (\d+) \| (\d+) \| (.*) \| (\d+) s \|', line)
        if not match:
            continue
        counts = dict.fromkeys(OUTCOMES, 0)
        for outcome, count in re.findall(r'(accepted|refused|crash|bad exit|hangs)(?: \([^)]*\))? (\d+)', match[4]):
            counts[outcome] += int(count)
        if sum(counts.values()) != int(match[3]):
            raise SystemExit(f'error: the outcomes of Tools/fuzz/mutate are not understood: {line}')
        rows.append((match[1].capitalize(), compared.grouped(int(match[2])), compared.grouped(int(match[3])), *map(compared.grouped, counts.values())))
    return page.table(('Files', 'Originals', 'Mutants', 'Accepted', 'Rejected', 'Crashes', 'Bad exits', 'Hangs'), rows)
