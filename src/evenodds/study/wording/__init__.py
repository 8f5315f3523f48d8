"""The figures of a study in words: the verdict, notes, and measures as text.

Pages and terminal show the same sentences, which are written here only.
"""
