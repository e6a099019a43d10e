"""Tests of the security report, on texts as the commands print them."""
import contextlib
import io
import json
import os
import tempfile
import types
import unittest
from unittest import mock

from reports import page, security

FUZZ = '''| target | executions | a second | edges reached | findings | processor seconds |
|---|---|---|---|---|---|
| png | 2000 | 1000 | 411 | 0 | 2 |
| golden-manifest | 500 | 250 | 723 | 1 | 2 |

| cases | seed | number | ran | refused | unread | findings | seconds | cases a second |
|---|---|---|---|---|---|---|---|---|
| mutants | 1 | 5000 | 1600 | 1400 | 2000 | 0 | 12 | 416 |
mutants: 21 seconds of processor time
| cases | seed | number | ran | refused | unread | findings | seconds | cases a second |
|---|---|---|---|---|---|---|---|---|
| graphs | 1 | 5000 | 2100 | 2200 | 699 | 1 | 40 | 125 |
graphs: 80 seconds of processor time
'''
ADDRESS = '''Address: 285 tests, status 0, 0 reports
Leak: 285 tests, status 0, 0 reports
Undefined: 285 tests, status 0, 0 reports
'''
SOAK = {
    'threads': 16, 'seconds': 570.0, 'is_judged': True, 'not_flat': [],
    'process': [{'name': 'resident memory, MB', 'first_tenth': 361.34, 'last_tenth': 363.2, 'at_most': 379.4, 'is_flat': True},
                {'name': 'descriptors', 'first_tenth': 22.5, 'last_tenth': 20, 'at_most': 26.5, 'is_flat': True},
                {'name': 'threads', 'first_tenth': 95, 'last_tenth': 90, 'at_most': 104.5, 'is_flat': True}],
    'p90_ms': [{'name': 'resize and run', 'first_tenth': 2, 'last_tenth': 1, 'at_most': 3, 'is_flat': True},
               {'name': 'all kinds (geometric mean)', 'first_tenth': 84, 'last_tenth': 30, 'at_most': 105, 'is_flat': True}],
    'work': [{'name': 'resize and run', 'count': 1234}, {'name': 'load from a file', 'count': 6}]}


def result(output, status=0):
    return {'output': output, 'status': status, 'seconds': 1.0}


class KnownTests(unittest.TestCase):
    def test_outcomes(self):
        self.assertEqual(security.outcome_of(0, 'warning: x'), 'computed')
        self.assertEqual(security.outcome_of(1, 'error: a.tflite: no'), 'refused')
        self.assertEqual(security.outcome_of(1, ''), 'other')
        self.assertEqual(security.outcome_of(2, 'error: usage: unknown option'), 'other')
        self.assertEqual(security.outcome_of(-11, ''), 'signal')
        self.assertEqual(security.outcome_of(134, ''), 'other')

    def test_attempts(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(security.attempt(['true'])[0], 'computed')
            self.assertEqual(security.attempt(['sh', '-c', 'echo error: no >&2; exit 1'])[0], 'refused')
            self.assertEqual(security.attempt(['sh', '-c', 'kill -SEGV $$'])[0], 'signal')
            outcome, seconds, megabytes = security.attempt(['sleep', '10'], seconds=0.2)
        self.assertEqual(outcome, 'stopped')
        self.assertTrue(0.1 < seconds < 5 and megabytes > 0)

    def test_address_space(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertNotEqual(security.attempt(['python3', '-c', 'bytearray(1 << 29)'], address_space=200000)[0], 'computed')

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, 'second'))
            for name in ('validation-a.tflite', 'validation-b.tflite', 'new.tflite', 'README.md', 'second/text-x.tflite', 'second/one_second.wav',
                         'second/sound-1.wav'):
                open(os.path.join(folder, name), 'w', encoding='utf-8').close()
            found = [name for _, name, _ in security.hostile_files(folder, False)]
            self.assertEqual(found, ['validation-a.tflite', 'validation-b.tflite', 'second/text-x.tflite', 'second/sound-1.wav', 'new.tflite'])
            self.assertEqual(len(security.hostile_files(folder, True)), 4)
            self.assertEqual(security.hostile_files(os.path.join(folder, 'none'), False), [])

    def test_table(self):
        rows = security.known_table([['loops', [['computed', 0.1, 20], ['refused', 6.25, 900]]], ['loops', [['computed', 0.1, 20]]],
                                     ['names', [['refused', 0.1, 20], ['signal', 0.1, 20]]]]).splitlines()
        self.assertEqual(rows[2:], ['| loops | 2 | 1 | 1 | 0 | 0 | 0 | 6.2 | 900 |', '| names | 1 | 0 | 0 | 1 | 0 | 0 | 0.1 | 20 |',
                                    '| **all** | 3 | 1 | 1 | 1 | 0 | 0 | 6.2 | 900 |'])

    def test_no_files(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn('Not measured', security.known(types.SimpleNamespace(data=folder, short=False), None)['known'])


class CheckedTests(unittest.TestCase):
    def test_verification(self):
        cases = [{'model': 'a', 'case': '1', 'ok': True}, {'model': 'a', 'case': '2', 'ok': True}, {'model': 'b', 'case': '1', 'ok': False}]
        found = security.verification(json.dumps({'cases': cases, 'passed': 2, 'failed': 1}), 2.5)
        self.assertEqual(found, {'models': 2, 'cases': 3, 'failures': 1, 'seconds': 2.5})
        rows = security.checked_table([['`avx2`', 'fast', '1', found], ['`avx2`', 'fast', '4', found]]).splitlines()
        self.assertEqual(rows[2:], ['| `avx2` | fast | 1 | 2 | 3 | 1 | 2.5 |', '| `avx2` | fast | 4 | 2 | 3 | 1 | 2.5 |',
                                    '| **all** | – | – | 2 | 6 | 2 | 5.0 |'])

    def test_no_document(self):
        with self.assertRaises(SystemExit):
            security.verification('', 1)

    def test_instruction_sets(self):
        def printed(options, words, SWIFTLET_ISA):
            return result(json.dumps({'results': [{'isa': SWIFTLET_ISA if SWIFTLET_ISA in ('portable', 'avx2') else 'avx2'}]}))

        with mock.patch.object(security, 'printed', printed):
            self.assertEqual(security.instruction_sets(types.SimpleNamespace(swiftlet='swiftlet')), ['portable', 'avx2'])


class FuzzingTests(unittest.TestCase):
    words = ['Tools/fuzz/run', '--seconds', '20']

    def test_targets(self):
        rows = security.target_table(self.words, result(FUZZ, 1)).splitlines()
        self.assertEqual(rows[2:], ['| `golden-manifest` | 500 | 250 | 723 | 1 | 2 |', '| `png` | 2,000 | 1,000 | 411 | 0 | 2 |',
                                    '| **all 2** | 2,500 | 625 | – | 1 | 4 |'])

    def test_cases(self):
        rows = security.case_table(self.words, result(FUZZ, 1), {'mutants': 5000, 'graphs': 5000, 'texts': 0}).splitlines()
        self.assertEqual(rows[2:], ['| mutants | 1 | 5,000 | 1,600 | 1,400 | 2,000 | 0 | 21 |', '| graphs | 1 | 5,000 | 2,100 | 2,200 | 699 | 1 | 80 |',
                                    '| **all** | – | 10,000 | 3,700 | 3,600 | 2,699 | 1 | 101 |'])

    def test_incomplete(self):
        with self.assertRaises(SystemExit):
            security.target_table(self.words, result('', 1))
        for counts in ({'mutants': 5000, 'texts': 2000}, {'mutants': 10000}):
            with self.assertRaises(SystemExit):
                security.case_table(self.words, result(FUZZ, 1), counts)


class SanitizerTests(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(security.sanitizer_rows(['x'], result(ADDRESS)), [['address', '285', 'passed', '0'], ['undefined behavior (C)', '285', 'passed', '0']])
        self.assertEqual(security.sanitizer_rows(['x'], result('Thread: 1402 tests, status 1, 2 reports\n', 1)), [['thread', '1,402', 'failed, status 1', '2']])

    def test_no_tests(self):
        for text in ('thread: the tests cannot be built, see .build/thread.build.log\n', 'Thread: 0 tests, status 1, 0 reports\n'):
            with self.assertRaises(SystemExit):
                security.sanitizer_rows(['x'], result(text, 1))


class SoakTests(unittest.TestCase):
    def test_text(self):
        lines = security.soak_text('Tools/soak/run --minutes 10', SOAK).splitlines()
        self.assertEqual(lines[0], '`Tools/soak/run --minutes 10` completed 1,240 work items of 2 kinds on 16 threads, in 9.5 minutes after the warm-up. '
                                   'No measure was above its limit at the end, including the p90 latency of each kind.')
        self.assertEqual(lines[4:], ['| Resident memory (MB) | 361.3 | 363.2 | 379.4 |', '| File descriptors | 22.5 | 20.0 | 26.5 |',
                                     '| Threads | 95.0 | 90.0 | 104.5 |', '| p90 latency, geometric mean of all kinds (ms) | 84.0 | 30.0 | 105.0 |'])

    def test_verdicts(self):
        self.assertIn('Above their limits: threads.', security.soak_text('x', dict(SOAK, not_flat=['threads'])))
        self.assertIn('too short', security.soak_text('x', dict(SOAK, is_judged=False)))


class OutputsTests(unittest.TestCase):
    def test_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            def take(commit, reuse, parts, command, value):
                return security.Outputs(folder, commit, reuse, parts).take('soak', 'soak', [command], lambda: value)

            self.assertEqual(take('aaaaaaaa', False, {'soak'}, 'x', 1), 1)
            self.assertEqual(take('aaaaaaaa', False, {'soak'}, 'x', 2), 2)
            self.assertEqual(take('aaaaaaaa', True, {'soak'}, 'x', 3), 2)
            self.assertEqual(take('aaaaaaaa', False, {'known'}, 'x', 3), 2)
            self.assertEqual(take('aaaaaaaa', True, {'soak'}, 'y', 4), 4)
            with self.assertRaises(security.NotMeasured):
                take('bbbbbbbb', True, {'known'}, 'y', 5)
            self.assertEqual(take('bbbbbbbb', True, {'soak'}, 'y', 5), 5)

    def test_blocks(self):
        """The blocks are those of the page, and a part that isn't measured says so."""
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            options = types.SimpleNamespace(swiftlet='swiftlet', data=folder, work=folder, short=True, reuse=False, parts=None)
            answers = {'bench': json.dumps({'results': [{'isa': 'avx2'}]}), 'verify': json.dumps({'cases': [{'model': 'a'}], 'passed': 1, 'failed': 0}),
                       'address': ADDRESS, 'thread': 'Thread: 2 tests, status 0, 0 reports\n'}

            def printed(_, words, **more):
                if '--json' in words and words[0] == 'Tools/soak/run':
                    with open(words[-1], 'w', encoding='utf-8') as file:
                        json.dump({'mixed_soak': SOAK}, file)
                if words[0] == 'Tools/fuzz/run':
                    lines = ''.join(f'| {kind} | 1 | 100 | 100 | 0 | 0 | 0 | 1 | 100 |\n{kind}: 1 seconds of processor time\n' for kind in security.COUNTS)
                    return result('| png | 1 | 1 | 1 | 0 | 1 |\n' + lines)
                return result(next((text for word, text in answers.items() if word in words), ''))

            stack.enter_context(mock.patch.object(security, 'printed', printed))
            stack.enter_context(mock.patch.object(security, 'compiler', lambda: ['Swift 6.3.1']))
            stack.enter_context(mock.patch.object(page, 'commit', lambda: 'abcdef01'))
            options.parts = {'checked'}
            with contextlib.redirect_stderr(io.StringIO()):
                partial = security.measure(options)
            self.assertEqual(sorted(name for name, text in partial.items() if text == 'Not measured at this commit.'),
                             ['fuzz-cases', 'fuzz-command', 'fuzz-targets', 'sanitizers', 'soak'])
            options.parts = None
            blocks = security.measure(options)
            self.assertEqual(sorted(blocks), sorted(partial))
            with open(os.path.join(page.FOLDER, 'security.md'), encoding='utf-8') as file:
                self.assertEqual(sorted(match[1] for match in page.BLOCK.finditer(file.read())), sorted(blocks))
            self.assertRegex(blocks['origin'], page.ORIGIN)
            options.parts = {'unknown'}
            with self.assertRaisesRegex(SystemExit, 'no part is called unknown'):
                security.measure(options)


if __name__ == '__main__':
    unittest.main()
