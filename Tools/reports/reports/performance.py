"""docs/reports/performance.md, and the tables of the README: `Benchmarks/report` measures and writes both."""
import os
import subprocess

from . import compared, page


def measure(options):
    """Measures and writes the page, and returns no blocks."""
    command = [os.path.join(page.ROOT, 'Benchmarks', 'report'), '--peers', compared.peers(options), '--programs', os.path.dirname(options.benchmarks), '--results', options.work]
    if options.short:
        command += ['--only', 'kernels']
    subprocess.run(command, check=True, env=dict(os.environ, SWIFTLET_TEST_DATA=options.data))
