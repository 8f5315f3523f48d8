"""Claims of rule books: the sentence, its check, the finding, and the thresholds of verdicts."""
