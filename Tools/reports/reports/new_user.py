"""docs/reports/new-user.md: a new user's first package."""
from . import fresh_machine


def measure(options):
    return fresh_machine.measure(options, 'new-user', 'trial')
