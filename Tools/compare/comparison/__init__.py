"""The modules of Tools/compare/tasks: one per kind of task, and shared code."""
