"""Measures docs/reports/security.md: hostile models, checked mode, the fuzzers, the sanitizers, and the soak test.

The outputs of the commands are in the folder `security` of the work folder, next to the file COMMIT with the commit that they are of. `options.parts` is a
set of names of PARTS, or None for all of them. The outputs of the other parts are read; for a part without an output, the page says that it wasn't measured.
"""
import collections
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from . import page
from .compared import command, grouped

PARTS = ('known', 'checked', 'fuzzing', 'sanitizers', 'soak')
# The limits of a command on a hostile file: kilobytes of address space, as for `ulimit -v`, and seconds.
ADDRESS_SPACE = 6000000
TIME_LIMIT = 120
INSTRUCTION_SETS = ('portable', 'avx2', 'avxvnni', 'avx512', 'neon', 'dotprod', 'i8mm')
MANIFEST = os.path.join('Tests', 'Engine', 'SwiftletOperatorsTests', 'Golden', 'manifest.json')
COUNTS = {'mutants': 5000, 'graphs': 5000, 'tasks': 2000, 'bundles': 300, 'sounds': 2000, 'texts': 2000}
SHORT_COUNT = 100
SANITIZERS = ('address', 'thread')

# Files of the directory `hostile` of the test data, and the commands for each of them.
Kind = collections.namedtuple('Kind', 'name patterns commands')
INSPECT = ('inspect', '{file}')
BENCH = ('bench', '{file}', '--runs', '1', '--warmup', '0')
KINDS = (
    Kind('constants that are written, composites that call themselves', ('validation-*.tflite',), (INSPECT, BENCH)),
    Kind('types that differ at the boundary of a subgraph', ('composite-*.tflite', 'call-*.tflite'), (INSPECT, BENCH)),
    Kind('custom operators that change the shape of their input', ('custom-*.tflite',), (INSPECT, BENCH)),
    Kind('slices of size 0 along collapsed axes', ('stablehlo-gather-*.tflite',), (INSPECT, BENCH)),
    Kind('shapes that depend on a variable that changes in the same run', ('where-*.tflite',), (
        INSPECT, ('run', '{file}', '--threads', '1', '--input', 'x={folder}/one.npy', '--input', 'shape={folder}/shape.npy', '--output-dir', '{output}'))),
    Kind('windows, filters, and GEMMs with much work for few bytes',
         ('stablehlo-window-*.tflite', 'transpose-conv-*.tflite', 'reduce-window-*.tflite', 'products-*.tflite'), (INSPECT, BENCH)),
    Kind('loops that never end', ('while-*.tflite',), (INSPECT, BENCH)),
    Kind('strings that grow during a run', ('skip-gram*.tflite',), (INSPECT, BENCH)),
    Kind('constants and subgraphs that need gigabytes', ('memory-*.tflite', 'many-callees*.tflite'), (INSPECT, BENCH)),
    Kind('names with control characters', ('names-*.tflite',), (INSPECT, BENCH)),
    Kind('detectors with more classes than the outputs contain', ('detector-*.tflite',), (
        INSPECT, ('detect-objects', '{folder}/picture.png', '--model', '{file}'))),
    Kind('classifiers with many classes, heads, and labels', ('second/classify-*.tflite',), (
        INSPECT, ('classify', '{folder}/picture.png', '--model', '{file}'))),
    Kind('tokenizer patterns that repeat nothing, or have large character classes', ('second/text-*.tflite',), (
        INSPECT, ('classify-text', 'é' * 1000, '--model', '{file}'))),
    Kind('audio classifiers with windows of one sample', ('second/audio-*.tflite',), (
        INSPECT, ('classify-audio', '{folder}/second/one_second.wav', '--model', '{file}'))),
    Kind('audio with unusual sample rates', ('second/sound-*.wav',), (('classify-audio', '{file}'),)),
    Kind('models with variables, on thirty images', ('second/stateful-*.tflite',), (
        INSPECT, ('classify', *['{folder}/picture.png'] * 30, '--model', '{file}', '--input-mean', '127.5', '--input-deviation', '127.5'))),
    Kind('other models', ('*.tflite', 'second/*.tflite'), (INSPECT, BENCH)),
)

TARGET = re.compile(r'^\| ([a-z][\w-]*) \|' + r' (\d+) \|' * 5 + '$', re.M)
CASES = re.compile(r'^\| ([a-z]+) \|' + r' (\d+) \|' * 8 + '$', re.M)
SPENT = re.compile(r'^([a-z]+): (\d+) seconds of processor time$', re.M)
SANITIZED = re.compile(r'^(Address|Leak|Undefined|Thread): (\d+) tests, status (\d+), (\d+) reports$', re.M)


class NotMeasured(Exception):
    """There is no output of a part that isn't to be measured."""


class Outputs:
    """What was measured, in a folder of JSON files that are of one commit."""

    def __init__(self, folder, commit, reuse, parts):
        self.folder, self.reuse, self.parts = folder, reuse, parts
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, 'COMMIT')
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                if file.read().strip() == commit:
                    return
        for name in os.listdir(folder):
            if name.endswith('.json'):
                os.remove(os.path.join(folder, name))
        with open(path, 'w', encoding='utf-8') as file:
            file.write(commit + '\n')

    def path(self, name):
        return os.path.join(self.folder, name)

    def take(self, part, name, command, measured):
        """Returns the value of `measured()`, or the kept one of the same command if it may be read."""
        path = self.path(name + '.json')
        if (self.reuse or part not in self.parts) and os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                kept = json.load(file)
            if kept['command'] == list(command):
                return kept['value']
        if part not in self.parts:
            raise NotMeasured(part)
        value = measured()
        with open(path, 'w', encoding='utf-8') as file:
            json.dump({'command': list(command), 'value': value}, file, indent=1)
        return value


# The blocks of the parts with several.
BLOCKS = {'fuzzing': ('fuzz-command', 'fuzz-targets', 'fuzz-cases')}


def measure(options):
    parts = set(getattr(options, 'parts', None) or PARTS)
    if unknown := sorted(parts - set(PARTS)):
        raise SystemExit(f'error: no part is called {", ".join(unknown)}; the parts are {", ".join(PARTS)}')
    outputs = Outputs(os.path.join(os.path.abspath(options.work), 'security'), page.commit(), options.reuse, parts)
    blocks = {}
    for part, function in zip(PARTS, (known, checked, fuzzing, sanitizers, soak)):
        try:
            blocks.update(function(options, outputs))
        except NotMeasured:
            print(f'security: {part} was not measured at this commit, and the page says so', file=sys.stderr)
            blocks.update({name: 'Not measured at this commit.' for name in BLOCKS.get(part, (part,))})
    blocks['origin'] = page.origin(command('security', options), *compiler())
    if options.short:
        blocks['origin'] += '\n\nThis is a short run, for trying the commands: its counts and times are small.'
    return blocks


def compiler():
    """Returns the version of the compiler that builds the fuzzers, the tests, and the soak test."""
    try:
        text = subprocess.run(['swift', '--version'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    except OSError:
        return []
    found = re.search(r'Swift version (\S+)', text)
    return ['Swift ' + found[1]] if found else []


def environment(options, **more):
    return {**os.environ, 'SWIFTLET_TEST_DATA': os.path.abspath(options.data), **more}


def printed(options, words, **more):
    """Runs a command of the repository. Returns its output, exit status, and duration. Its standard error, which has the progress, stays visible."""
    start = time.monotonic()
    result = subprocess.run(words, cwd=page.ROOT, env=environment(options, **more), stdout=subprocess.PIPE, text=True, check=False)
    return {'output': result.stdout, 'status': result.returncode, 'seconds': time.monotonic() - start}


def unreadable(words, result):
    """Returns the error of a command whose output doesn't have what the page states."""
    return SystemExit(f'error: {" ".join(words[:2])} ended with status {result["status"]} and no complete result:\n{result["output"][-2000:]}')


def brief(seconds):
    return f'{seconds:.1f}' if seconds < 100 else f'{seconds:.0f}'


# Known bugs

def known(options, outputs):
    folder = os.path.join(os.path.abspath(options.data), 'hostile')
    files = hostile_files(folder, options.short)
    if not files:
        return {'known': 'Not measured: the test data has no directory `hostile`.'}
    command = [options.swiftlet, ADDRESS_SPACE, TIME_LIMIT, [[name, path] for name, path, _ in files]]
    return {'known': known_table(outputs.take('known', 'known', command, lambda: attempts(options, folder, files)))}


def hostile_files(folder, short):
    """Returns kind, path, and commands of every file that has a kind, by kinds; for `short`, one file per kind."""
    names = sorted(os.path.relpath(os.path.join(there, name), folder) for there, _, names in os.walk(folder) for name in names)
    found, taken = [], set()
    for kind in KINDS:
        matching = [name for name in names if name not in taken and any(fnmatch.fnmatchcase(name, pattern) for pattern in kind.patterns)]
        taken.update(matching)
        found += [(kind.name, name, kind.commands) for name in matching[:1 if short else None]]
    return found


def attempts(options, folder, files):
    """Returns kind, outcome, seconds, and megabytes of every command on a file, by files."""
    program, rows = os.path.abspath(options.swiftlet), []
    with tempfile.TemporaryDirectory() as output:
        for kind, name, commands in files:
            places = {'file': os.path.join(folder, name), 'folder': folder, 'output': output}
            rows.append([kind, [attempt([program, *(word.format(**places) for word in command)]) for command in commands]])
    return rows


def attempt(words, seconds=TIME_LIMIT, address_space=ADDRESS_SPACE):
    """Runs a command with limits. Returns its outcome, its wall-clock time in seconds, and its peak resident memory in megabytes."""
    ended = []
    with tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(['bash', '-c', f'ulimit -v {address_space}; exec "$@"', 'bash', *words],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

        def stop():
            ended.append(True)
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(seconds, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        spent = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read(1 << 20).decode('utf-8', 'replace')
    outcome = 'stopped' if ended else outcome_of(process.returncode, text)
    if outcome not in ('computed', 'refused'):
        print(f'{outcome}: {" ".join(words)[:300]}: status {process.returncode}: {text[-300:].strip()}', file=sys.stderr)
    return [outcome, spent, usage.ru_maxrss / 1e3]


def outcome_of(status, errors):
    """Returns the outcome for an exit status, negative for a signal, and the text on standard error. An incorrect command causes an error of usage."""
    if status < 0:
        return 'signal'
    if status == 0:
        return 'computed'
    has_message = 'error: ' in errors and 'error: usage: ' not in errors
    return 'refused' if status in (1, 2) and has_message else 'other'


def known_table(attempted):
    """Returns the table of all attempts by kinds. A file is refused if one of its commands is."""
    kinds = collections.OrderedDict()
    for kind, results in attempted:
        row = kinds.setdefault(kind, collections.Counter())
        outcomes = [outcome for outcome, _, _ in results]
        row['files'] += 1
        row[next(name for name in ('signal', 'stopped', 'other', 'refused', 'computed') if name in outcomes)] += 1
        row['seconds'] = max(row['seconds'], *(seconds for _, seconds, _ in results), 0)
        row['megabytes'] = max(row['megabytes'], *(megabytes for _, _, megabytes in results), 0)
    columns = ('files', 'refused', 'computed', 'signal', 'stopped', 'other')
    rows = [[kind] + [row[column] for column in columns] + [brief(row['seconds']), f'{row["megabytes"]:.0f}'] for kind, row in kinds.items()]
    rows.append(['**all**'] + [sum(row[column] for row in kinds.values()) for column in columns]
                + [brief(max(row['seconds'] for row in kinds.values())), f'{max(row["megabytes"] for row in kinds.values()):.0f}'])
    return page.table(('Kind', 'Files', 'Refused with an error', 'Computed', 'Ended by a signal', f'Stopped after {TIME_LIMIT} s', 'Other ends',
                       'Longest time (s)', 'Peak memory (MB)'), rows)


# Checked mode

def checked(options, outputs):
    only = ['--only', 'add/'] if options.short else []
    rows = []
    for name in outputs.take('checked', 'instruction-sets', [options.swiftlet], lambda: instruction_sets(options)):
        for numerics in ('fast', 'bit-exact'):
            for threads in ('1', '4'):
                words = [os.path.abspath(options.swiftlet), 'verify', MANIFEST, '--checked', '--numerics', numerics, '--threads', threads, *only, '--json']
                result = outputs.take('checked', f'checked-{name}-{numerics}-{threads}', words, lambda: verified(options, words, name))
                rows.append([f'`{name}`', numerics, threads, result])
    return {'checked': checked_table(rows)}


def instruction_sets(options):
    """Returns those of INSTRUCTION_SETS that the program uses if the environment names them. It replaces those that the CPU doesn't support."""
    words = [os.path.abspath(options.swiftlet), 'bench', os.path.join('Models', 'audio_classifier.tflite'), '--runs', '1', '--warmup', '0', '--json']
    found = []
    for name in INSTRUCTION_SETS:
        result = printed(options, words, SWIFTLET_ISA=name)
        if result['status'] != 0:
            raise unreadable(words, result)
        if json.loads(result['output'])['results'][0]['isa'] == name:
            found.append(name)
    return found


def verified(options, words, instruction_set):
    result = printed(options, words, SWIFTLET_ISA=instruction_set)
    if result['status'] not in (0, 1):
        raise unreadable(words, result)
    return verification(result['output'], result['seconds'])


def verification(text, seconds):
    """Returns the numbers of models, cases, and failures in the output of `verify --json`."""
    try:
        document = json.loads(text)
    except ValueError:
        raise SystemExit(f'error: verify --json wrote no document:\n{text[-2000:]}') from None
    return {'models': len({case['model'] for case in document['cases']}), 'cases': len(document['cases']), 'failures': document['failed'], 'seconds': seconds}


def checked_table(rows):
    results = [result for *_, result in rows]
    cells = [words + [grouped(result['models']), grouped(result['cases']), grouped(result['failures']), brief(result['seconds'])] for *words, result in rows]
    cells.append(['**all**', '', '', grouped(max(result['models'] for result in results)), grouped(sum(result['cases'] for result in results)),
                  grouped(sum(result['failures'] for result in results)), brief(sum(result['seconds'] for result in results))])
    return page.table(('Instruction set', 'Numerics', 'Threads', 'Models', 'Cases', 'Failures', 'Time (s)'), cells)


# Fuzzing

def fuzzing(options, outputs):
    counts = {kind: SHORT_COUNT for kind in COUNTS} if options.short else {**COUNTS, **(getattr(options, 'counts', None) or {})}
    seconds = 5 if options.short else getattr(options, 'seconds', None) or 20
    words = ['Tools/fuzz/run', '--seconds', str(seconds)] + [word for kind, count in counts.items() for word in ('--' + kind, str(count))]
    folder = outputs.path('fuzz')

    def run():
        # Every run begins with the same seeds. Findings are kept.
        shutil.rmtree(os.path.join(folder, 'corpus'), ignore_errors=True)
        result = printed(options, [*words, '--folder', folder])
        # What isn't complete isn't kept.
        target_table(words, result)
        case_table(words, result, counts)
        return result

    result = outputs.take('fuzzing', 'fuzzing', words, run)
    return {'fuzz-command': f'```\n{" ".join(words)}\n```', 'fuzz-targets': target_table(words, result), 'fuzz-cases': case_table(words, result, counts)}


def target_table(words, result):
    """Returns the table of libFuzzer targets."""
    found = [(name, *map(int, cells)) for name, *cells in TARGET.findall(result['output'])]
    if not found:
        raise unreadable(words, result)
    rows = [[f'`{name}`', grouped(runs), grouped(rate), grouped(edges), findings, grouped(spent)] for name, runs, rate, edges, findings, spent in sorted(found)]
    runs, findings, spent = (sum(row[column] for row in found) for column in (1, 4, 5))
    rows.append([f'**all {len(found)}**', grouped(runs), grouped(runs // max(spent, 1)), '', findings, grouped(spent)])
    return page.table(('Target', 'Executions', 'Executions per CPU second', 'Edges reached', 'Findings', 'CPU time (s)'), rows)


def case_table(words, result, counts):
    """Returns the table of generated files, of which all kinds must have been run completely."""
    found = [(kind, *map(int, cells)) for kind, *cells in CASES.findall(result['output'])]
    spent = {kind: int(seconds) for kind, seconds in SPENT.findall(result['output'])}
    if any((kind, count) not in [(row[0], row[2]) for row in found] or kind not in spent for kind, count in counts.items() if count):
        raise unreadable(words, result)
    rows = [[kind, seed, grouped(count), grouped(ran), grouped(refused), grouped(unread), findings, grouped(spent[kind])]
            for kind, seed, count, ran, refused, unread, findings, _, _ in found]
    rows.append(['**all**', ''] + [grouped(sum(row[column] for row in found)) for column in (2, 3, 4, 5, 6)] + [grouped(sum(spent[row[0]] for row in found))])
    return page.table(('Files', 'Seed', 'Count', 'Ran', 'Refused', 'Unread', 'Findings', 'CPU time (s)'), rows)


# Sanitizers

def sanitizers(options, outputs):
    rows = []
    for name in SANITIZERS:
        words = ['Tools/sanitize/check', '--share', 'quarter', '--sanitizer', name]
        result = outputs.take('sanitizers', name, words, lambda: sanitized(options, [*words, '--reports', outputs.path(name)]))
        rows += sanitizer_rows(words, result)
    return {'sanitizers': page.table(('Sanitizer', 'Tests', 'Test run', 'Reports'), rows)}


def sanitized(options, words):
    # As in .ci/stages/address: a process that may not trace itself, as in a container, cannot detect leaks.
    result = printed(options, words, ASAN_OPTIONS='detect_leaks=0')
    sanitizer_rows(words, result)
    return result


def sanitizer_rows(words, result):
    """Returns the rows of one build. Leaks aren't detected, so the row of `leak` is dropped."""
    names = {'Address': 'address', 'Undefined': 'undefined behavior (C)', 'Thread': 'thread'}
    found = SANITIZED.findall(result['output'])
    if not found or any(tests == '0' for _, tests, _, _ in found):
        raise unreadable(words, result)
    return [[names[name], grouped(int(tests)), 'passed' if status == '0' else f'failed, status {status}', grouped(int(reports))]
            for name, tests, status, reports in found if name in names]


# Soak

def soak(options, outputs):
    minutes = 2 if options.short else getattr(options, 'minutes', None) or 5
    words = ['Tools/soak/run', '--minutes', str(minutes), '--threads', '16']

    def run():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'soak.json')
            result = printed(options, [*words, '--json', path], SWIFTLET_PROGRAMS=os.path.dirname(os.path.abspath(options.swiftlet)))
            if not os.path.exists(path):
                raise unreadable(words, result)
            with open(path, encoding='utf-8') as file:
                document = json.load(file).get('mixed_soak')
        # The run ends without a result if a piece of work fails.
        if not document:
            raise unreadable(words, result)
        return document

    return {'soak': soak_text(' '.join(words), outputs.take('soak', 'soak', words, run))}


def soak_text(command, result):
    """Returns a paragraph and the table of a document of the mixed soak test."""
    names = {'resident memory, MB': 'Resident memory (MB)', 'descriptors': 'File descriptors', 'threads': 'Threads',
             'all kinds (geometric mean)': 'p90 latency, geometric mean of all kinds (ms)'}
    count = sum(work['count'] for work in result['work'])
    text = (f'`{command}` completed {grouped(count)} work items of {len(result["work"])} kinds on {result["threads"]} threads, in '
            f'{result["seconds"] / 60:.1f} minutes after the warm-up. ')
    if not result['is_judged']:
        text += 'The run is too short to compare its tenths.'
    elif result['not_flat']:
        text += f'Above their limits: {"; ".join(result["not_flat"])}.'
    else:
        text += 'No measure was above its limit at the end, including the p90 latency of each kind.'
    rows = [[names[figure['name']]] + [f'{figure[key]:.1f}' for key in ('first_tenth', 'last_tenth', 'at_most')]
            for figure in result['process'] + result['p90_ms'] if figure['name'] in names]
    return text + '\n\n' + page.table(('Measure', 'First tenth', 'Last tenth', 'Limit'), rows)
