"""What Tools/compare/tasks consists of: one module per kind of task, and what they share."""
