"""The optional test data: its parts, their sources, and how they are generated."""
import os
import sys

TOOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(TOOL))


class Problem(Exception):
    """The command cannot run: one line with the problem, its location, and a fix."""


def missing(module):
    """Returns the problem of a missing Python package, by the module that cannot be imported."""
    package = {'PIL': 'pillow', 'cv2': 'opencv-contrib-python'}.get(module, module.replace('_', '-'))
    return Problem(f'the Python package {package} is not installed in {sys.executable}; '
                   'run: python3 -m pip install -r Tools/test-data/requirements.txt')
