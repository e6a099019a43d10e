"""Tests of the page about landmarks."""
import unittest

from reports import comparison_landmarks, compared

TEXT = """MediaPipe 1.2.3, 574 images, 341 of them with a detection, seed 1, at most 2 per image.

| Task | Images | Equal | Other count | Landmark values | Differ | World landmark values | Differ | 1 ulp | More | Scores | Differ | Further numbers | Differ |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| hands | 133 | 132 | 0 | 10,647 | 1 | 10,647 | 2 | 3 | 0 | 169 | 0 | 0 | 0 |
| hands in hand_move | 14 | 14 | 0 | 882 | 0 | 882 | 0 | 0 | 0 | 14 | 0 | 0 | 0 |
| faces | 1,152 | 1,152 | 0 | 273,894 | 0 | 0 | 0 | 0 | 0 | 9,932 | 0 | 3,056 | 2,175 |
"""


class LandmarkTests(unittest.TestCase):
    def test_sums(self):
        text = ' '.join(comparison_landmarks.result(TEXT).split())
        self.assertEqual(text, '**1 of 285,423 landmark values and 2 of 11,529 world landmark values differ**, in 1,299 runs of a task: 1,285 on single '
                               'images, 14 on frames of sequences. Either side detects something in 341 of 574 images. The seed is 1, and the maximum '
                               'number of detections per image is 2.')

    def test_equal_heads_are_counted_by_position(self):
        self.assertEqual(comparison_landmarks.sums(compared.tables(TEXT)[0], 'Further numbers'), ['3,056', '2,175'])

    def test_another_first_line_is_an_error(self):
        with self.assertRaises(SystemExit):
            comparison_landmarks.result(TEXT.replace('seed', 'number'))
