"""Claims of rule books: a sentence, its check, and the finding."""
