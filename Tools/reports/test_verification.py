"""Tests of the page about verification, and of Tools/compare/precision."""
import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

from reports import compared, page, verification

MODELS = """ai-edge-litert 2.3.0, 3 models.

| folder | tried | the reference loads | and runs | Swiftlet loads of these | equal, fast | equal, bit-exact |
|---|---|---|---|---|---|---|
| models/face | 3 | 2 | 2 | 2 | 2 | 1 |
| **all** | 3 | 2 | 2 | 2 | 2 | 1 |

Models that fail:

| model | reference | result |
|---|---|---|
| models/face/a.tflite |  | bit-exact DIFFERS: step0: output b: off by 1 |
| models/face/c.tflite | builtin | REFUSED |
"""
TOKENIZERS = """# Tokenizers vs. tokenizers 0.23.3 and MediaPipe

10000 lines, seed 1, 3512345 characters, 98765 different ones.

| tokenizer | lines | numbers | unknown | differ from the package | differ from MediaPipe |
|---|---|---|---|---|---|
| `word pieces` | 10000 | 1280000 | 1234 | 0 | 0 |
| `ab\\|a\\|[\\W_]+` | 10000 | 1280000 | 1234 | 0 | 0 |
"""
MUTANTS = """| what | real files | mutants | outcomes | time |
|---|---|---|---|---|
| models | 3065 | 1000 | accepted 150, bad exit (status 1, 2 lines) 1, crash (signal 11) 2, crash (signal 6) 1, hangs 1, refused 845 | 70 s |
  /tmp/mutants/models-1-7.tflite (a.tflite, words): inspect x: crash (signal 11)
    error
| images | 41 | 200 | accepted 90, refused 110 | 9 s |
"""

BLOCKS = {'verification': 'origin golden models precision tokenizers streams mutants', 'comparison-tasks': 'origin summary tables',
          'comparison-landmarks': 'origin result tasks', 'differential': 'origin results'}


class VerificationTests(unittest.TestCase):
    def test_golden_tensors(self):
        good = [{'model': 'a', 'case': 'random', 'ok': True}, {'model': 'a', 'case': 'image', 'ok': True}]
        bad = [good[0], {'model': 'a', 'case': 'image', 'ok': False}]
        text = verification.golden_text([('Published', 'fast', 1, good), ('Published', 'fast', 3, bad), ('Published', 'bit-exact', 1, bad)], 228, 2514)
        self.assertEqual(text.splitlines()[:7], [
            '| Golden tensors | Models | Cases | Numerics | Threads | Passed | Failed |', '|---|---|---|---|---|---|---|',
            '| Published | 1 | 2 | fast | 1 | 2 | 0 |', '| Published | 1 | 2 | fast | 3 | 1 | 1 |', '| Published | 1 | 2 | bit-exact | 1 | 1 | 1 |', '',
            '- `a` image fails: fast on 3 threads, bit-exact on 1 thread'])
        self.assertIn('lists 228 more combinations', text)
        self.assertIn('2,514 of the generated models', ' '.join(text.split()))

    def test_models(self):
        text = verification.models_text(MODELS)
        self.assertTrue(text.startswith('| Folder | Models | Loaded by the reference | Run by the reference | Of these, loaded by Swiftlet | Equal, fast | '))
        self.assertIn('| **all** | 3 | 2 | 2 | 2 | 2 | 1 |\n\nModels that fail:\n\n| Model | Reference | Result |', text)
        self.assertIn('| models/face/a.tflite | – | bit-exact', text)

    def test_tokenizers(self):
        text = verification.tokenizers_text(TOKENIZERS)
        self.assertTrue(text.startswith('10,000 lines with 3,512,345 characters, 98,765 of them different (seed 1):\n\n| Tokenizer | Lines | Token IDs |'))
        self.assertIn('| `ab\\|a\\|[\\W_]+` | 10000 | 1280000 | 1234 | 0 | 0 |', text)

    def test_streams(self):
        text = verification.streams_text([{'task': 'hands', 'model': 'hand_landmarker.task', 'threads': 1, 'frames': 2000, 'results': 1401, 'dropped': 599,
                                           'memory_growth_bytes': 286720, 'seconds': 6.5}])
        self.assertEqual(text.splitlines()[2], '| hands | `hand_landmarker.task` | 2,000 | 1,401 | 599 | 287 |')

    def test_mutants(self):
        self.assertEqual(verification.mutants_text(MUTANTS).splitlines()[2:],
                         ['| Models | 3,065 | 1,000 | 150 | 845 | 3 | 1 | 1 |', '| Images | 41 | 200 | 90 | 110 | 0 | 0 | 0 |'])

    def test_an_unknown_outcome_is_an_error(self):
        with self.assertRaises(SystemExit):
            verification.mutants_text(MUTANTS.replace('accepted 90', 'new 90'))

    def test_the_pages_have_the_blocks(self):
        for name, blocks in BLOCKS.items():
            with open(os.path.join(page.FOLDER, name + '.md'), encoding='utf-8') as file:
                found = [match[1] for match in page.BLOCK.finditer(file.read())]
            self.assertEqual((sorted(found), found[0]), (sorted(blocks.split()), 'origin'))


def precision():
    path = compared.tool('compare/precision')
    spec = importlib.util.spec_from_loader('precision', importlib.machinery.SourceFileLoader('precision', path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class PrecisionTests(unittest.TestCase):
    tool = precision()

    def test_models_without_integers(self):
        def document(*kernels):
            return {'kernels': [{'op': op, 'kernel': kernel, 'count': 1} for op, kernel in kernels]}
        self.assertTrue(self.tool.computes_in_float(document(('CONV_2D', 'indirect GEMM float32 3×3, avx512'), ('PAD', 'loop'))))
        for kernel in (('CONV_2D', 'dynamic-range GEMM int8 1×1, avx512'), ('FULLY_CONNECTED', 'GEMM uint8, avx2'), ('QUANTIZE', 'loop')):
            self.assertFalse(self.tool.computes_in_float(document(('PAD', 'loop'), kernel)))

    def test_cells(self):
        self.assertEqual(self.tool.cells((0.00151, 0.000569)), ['0.15', '0.057'])
        self.assertEqual(self.tool.cells(None), ['–', '–'])

    @unittest.skipUnless(importlib.util.find_spec('numpy'), 'needs NumPy')
    def test_the_worst_output_counts(self):
        import numpy as np
        full = [np.array([0, 1, 2, 4], 'float32'), np.array([0, 0, 0, 10], 'float32'), np.array([1], 'float32'), np.array([1, 2, 3, 4], 'int32')]
        reduced = [np.array([0, 1, 2, 5], 'float32'), np.array([1, 1, 1, 10], 'float32'), np.array([9], 'float32'), np.array([9, 9, 9, 9], 'int32')]
        self.assertEqual(self.tool.worst_of(full, reduced), (0.25, 0.075))
        self.assertEqual(self.tool.worst_of(full, full), (0.0, 0.0))
        self.assertIsNone(self.tool.worst_of(full[2:], reduced[2:]))

    @unittest.skipUnless(importlib.util.find_spec('numpy'), 'needs NumPy')
    def test_stored_bytes_become_floats(self):
        import numpy as np
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'in.bin'), 'wb') as file:
                file.write(bytes([9, 0, 255]))
            described = {'dtype': 'float32', 'shape': [1, 2], 'storage': 'uint8', 'mean': 127.5, 'std': 127.5, 'file': 'in.bin', 'offset': 1, 'bytes': 2}
            written = np.load(self.tool.write_inputs(folder, [described], folder)[0])
            self.assertEqual((written.dtype.name, written.tolist()), ('float32', [[-1.0, 1.0]]))


if __name__ == '__main__':
    unittest.main()
