"""The pool of folds in memory, and the loop that brings games up to their logs."""
