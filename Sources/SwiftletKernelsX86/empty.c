// Keeps the target non-empty.
