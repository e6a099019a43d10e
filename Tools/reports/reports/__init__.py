"""The reports of docs/reports: a module for each, whose `measure(options)` returns the texts of its page's
blocks, or None if a command writes the page itself."""

# The names of the pages, in the order in which they are measured: what is timed comes first.
NAMES = ('performance', 'servers', 'clean-machine', 'new-user', 'kernel-cost', 'comparison-landmarks', 'comparison-tasks', 'differential', 'verification', 'security')
