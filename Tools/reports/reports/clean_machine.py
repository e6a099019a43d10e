"""docs/reports/clean-machine.md: the README's first commands."""
from . import fresh_machine


def measure(options):
    return fresh_machine.measure(options, 'clean-machine', 'check')
