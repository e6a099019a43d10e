"""Tests of the page about tasks."""
import unittest

from reports import comparison_tasks, compared

TEXT = """# Task comparison vs. MediaPipe

MediaPipe 1.2.3, 27 images, rotations 0,90.

## Faces

A run agrees if both sides have the same number of detections, and each matched pair has the same categories, an IoU above 0.95, and scores within 0.02.

| Model | Option | Runs | Agreeing runs | Swiftlet | MediaPipe | Lowest IoU |
|---|---|---|---|---|---|---|
| a.tflite | 0.5 | 54 | 53 |  |  | 1.000000 |
| a.tflite | 0.3 | 54 | 54 |  |  | 1.000000 |
| b.tflite |  | MediaPipe rejects it: no metadata |  |  |  |  |

Disagreeing runs, up to 5 per model and option:

| Model | Option | Rotation | Image | Agrees |
|---|---|---|---|---|
| a.tflite | 0.5 | 90 | face.jpg | **no** |

## Hands in hand_move

The inputs are consecutive frames.

| Model | Option | Runs | Agreeing runs | Swiftlet |
|---|---|---|---|---|
| h.task |  | 1016 | 1016 | 1 |
"""


class TaskTests(unittest.TestCase):
    def test_summary(self):
        self.assertEqual(comparison_tasks.summary(TEXT).splitlines(), [
            '1,123 of 1,124 runs agree. Each of 27 images runs in the rotations 0, 90 (degrees).', '',
            '| Task | Models | Runs | Agreeing runs |', '|---|---|---|---|', '| [Faces](#faces) | 1 | 108 | 107 |',
            '| [Hands in hand_move](#hands-in-hand_move) | 1 | 1,016 | 1,016 |'])

    def test_tables_start_with_the_first_section_and_have_no_blank_column(self):
        text = compared.tidy(comparison_tasks.sections(TEXT))
        self.assertTrue(text.startswith('## Faces\n\nA run agrees'))
        self.assertIn('| Model | Option | Runs | Agreeing runs | Lowest IoU |', text)
        self.assertIn('| b.tflite | – | MediaPipe rejects it: no metadata | – | – |', text)
        self.assertIn('| h.task | 1016 | 1016 | 1 |', text)
        self.assertIn('Disagreeing runs, up to 5 per model and option:', text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines() if not line.startswith('|')))
