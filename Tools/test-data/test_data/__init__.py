"""The optional test data: its parts, where they come from, and how they are made."""
import os
import sys

TOOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(TOOL))


class Problem(Exception):
    """The command cannot run: one line that says what is wrong, where, and what to do."""


def missing(module):
    """The problem of a Python package that is not installed, by the module that cannot be imported."""
    package = {'PIL': 'pillow', 'cv2': 'opencv-contrib-python'}.get(module, module.replace('_', '-'))
    return Problem(f'the Python package {package} is not installed in {sys.executable}; '
                   'run: python3 -m pip install -r Tools/test-data/requirements.txt')
