"""docs/reports/kernel-cost.md: `Tools/kernel-cost/kernel-cost --markdown` writes the page."""
import os
import subprocess

from . import page


def measure(options):
    """Writes the page, and returns no blocks."""
    command = [os.path.join(page.ROOT, 'Tools', 'kernel-cost', 'kernel-cost'), '--markdown']
    if directory := os.environ.get('XNNPACK'):
        command += ['--xnnpack', directory]
    subprocess.run(command, check=True)
