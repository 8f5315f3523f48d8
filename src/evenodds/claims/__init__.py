"""Claims of rule books: the sentence, its check, the finding, and the thresholds of verdicts.

Checks read the figures of a study (`study_figures`), which `study` computes.
"""
