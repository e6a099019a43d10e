"""Options that the scripts share."""
import argparse
import os

from training.drawing import PACKAGE

CACHE = os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'swiftlet-train')


def add_common_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--models', default=os.path.join(PACKAGE, 'Models'), help='folder of the .tflite files')
    parser.add_argument('--work', default=CACHE, help='folder for images and checkpoints, about 16 GB (default: %(default)s)')
    parser.add_argument('--draw-scenes', metavar='PATH', help='a built GenerateScenes; otherwise "swift run -c release GenerateScenes"')
