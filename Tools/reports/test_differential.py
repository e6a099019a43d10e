"""Tests of the page about differential testing."""
import unittest

from reports import differential

HEAD = """ai-edge-litert 2.3.0, seed 1, mutants 0 to 199, 200 in total. LiteRT's process crashed or timed out for 1 (xnnpack).

| Numerics | Equal | Differs | Only the reference runs it | Only Swiftlet runs it | Neither runs it | Crashes Swiftlet |
|---|---|---|---|---|---|---|
| fast | 160 | 1 | 4 | 2 | 33 | 0 |
| bit-exact | 160 | 1 | 4 | 2 | 33 | CRASHES |

Explained differences:

| Cause | Fast | Bit-exact | Explanation |
|---|---|---|---|
| denormals | 22 | 13 | Fast numerics lose bits. |

Mutants that only one side runs (included above):

| Operator | Result | Cause | Mutants | Example |
|---|---|---|---|---|
| GATHER | only Swiftlet runs it | stricter reference | 1 | 5806: tflite/kernels/gather.cc:99 NumDimensions(input) != 1 (2 != 1) |
"""
UNEXPLAINED = """
Unexplained differences:

| Operator | Result | Detail | Mutants | Numerics | Examples |
|---|---|---|---|---|---|
| ADD | differs | off by N steps | 2 | fast | 12 add/int8: sizes |
| MUL | differs | off by N steps | 1 | fast | 13 mul/int8: sizes |
"""
END = """
Bit-exact float results, for operators with results that are not bit-exact:

| Operator | Fast: all equal | Bit-exact: all equal | Fast: not all | Bit-exact: not all |
|---|---|---|---|---|

Mutants per operator:

| Operator | Mutants | Run by the reference | Differ, fast | Differ, bit-exact |
|---|---|---|---|---|
| ABS | 62 | 58 | 0 | 0 |
"""


class DifferentialTests(unittest.TestCase):
    def test_sections(self):
        text = differential.results(HEAD.replace('CRASHES', '0') + END)
        self.assertTrue(text.startswith('Swiftlet\'s process never crashed, and every difference has a known cause.\n\nai-edge-litert 2.3.0, seed 1'))
        self.assertEqual([line for line in text.splitlines() if line.startswith('#')],
                         ['### Explained differences', '### Mutants that only one side runs', '### Bit-exact float results', '### Mutants per operator'])
        self.assertIn('### Mutants that only one side runs\n\nThese mutants are included in the explained differences.\n\n| Operator |', text)
        self.assertIn('| ABS | 62 | 58 | 0 | 0 |', text)

    def test_faults_are_in_the_first_sentence(self):
        text = differential.results(HEAD.replace('CRASHES', '3') + UNEXPLAINED + END)
        self.assertTrue(text.startswith('Swiftlet\'s process crashed for 3 mutants, and 3 differences have no known cause.'))
        self.assertIn('### Unexplained differences\n\n| Operator | Result |', text)
