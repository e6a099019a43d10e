"""Tests of how Markdown in the output of commands is read."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from reports import compared

TEXT = """# Title

A paragraph that
has two lines.

| Name | Blank | Count |
|---|---|---|
| `a\\|b` |  | 1 |
|  |  | 1,200 |

Other rows:

| Name |
|---|
"""


class MarkdownTests(unittest.TestCase):
    def test_parts_are_in_order(self):
        found = compared.parts(TEXT)
        self.assertEqual([part if isinstance(part, str) else part.head for part in found],
                         ['# Title', 'A paragraph that\nhas two lines.', ['Name', 'Blank', 'Count'], 'Other rows:', ['Name']])

    def test_escaped_bars_stay_in_their_cell(self):
        self.assertEqual(compared.tables(TEXT)[0].rows, [['`a\\|b`', '', '1'], ['', '', '1,200']])

    def test_blank_columns_and_cells(self):
        self.assertEqual(compared.tables(TEXT)[0].text, '| Name | Count |\n|---|---|\n| `a\\|b` | 1 |\n| – | 1,200 |')

    def test_a_table_without_rows_keeps_its_head(self):
        self.assertEqual(compared.tables(TEXT)[1].text, '| Name |\n|---|')

    def test_tables_follow_titles_without_a_blank_line(self):
        found = compared.parts('Title:\n| A |\n|---|\n| 1 |\nend')
        self.assertEqual((found[0], found[1].rows, found[2]), ('Title:', [['1']], 'end'))

    def test_paragraphs_are_wrapped(self):
        words = ' '.join(['word'] * 50)
        self.assertTrue(all(len(line) <= 100 for line in compared.wrapped(words).splitlines()))
        self.assertEqual(compared.wrapped('## ' + words), '## ' + words)

    def test_numbers(self):
        self.assertEqual(compared.number('1,234,567'), 1234567)
        self.assertEqual(compared.grouped(1234567), '1,234,567')


class CommandTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.options = types.SimpleNamespace(work=os.path.join(folder.name, 'work'), reuse=False, peers=None, short=False)

    def test_output_is_kept_and_read_again(self):
        words = [sys.executable, '-c', 'print("one"); raise SystemExit(1)']
        self.assertEqual(compared.captured(self.options, 'out', words, compares=True), 'one\n')
        self.options.reuse = True
        with mock.patch.object(subprocess, 'Popen', side_effect=AssertionError):
            self.assertEqual(compared.captured(self.options, 'out', words, compares=True), 'one\n')

    def test_a_failed_command_keeps_nothing(self):
        with self.assertRaises(SystemExit):
            compared.captured(self.options, 'out', [sys.executable, '-c', 'raise SystemExit(2)'], compares=True)
        self.assertEqual(os.listdir(self.options.work), [])

    def test_only_a_comparison_may_end_with_1(self):
        with self.assertRaises(SystemExit):
            compared.captured(self.options, 'out', [sys.executable, '-c', 'print("some rows"); raise SystemExit(1)'])
        self.assertEqual(os.listdir(self.options.work), [])

    def test_an_exception_is_no_difference(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            compared.captured(self.options, 'out', [sys.executable, '-c', 'print("some rows"); raise ValueError'], compares=True)
        self.assertEqual(os.listdir(self.options.work), [])

    def test_environment(self):
        words = [sys.executable, '-c', 'import os; print(os.environ["SWIFTLET_TEST_DATA"])']
        self.assertEqual(compared.captured(self.options, 'out', words, env={'SWIFTLET_TEST_DATA': 'data'}), 'data\n')

    def test_peers_are_required(self):
        with self.assertRaises(SystemExit):
            compared.peers(self.options)

    def test_the_command_states_small_counts(self):
        self.assertEqual(compared.command('differential', self.options), 'Tools/reports/run differential')
        self.options.short = True
        self.assertEqual(compared.command('differential', self.options), 'Tools/reports/run differential --short')
