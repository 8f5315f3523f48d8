"""For those who write games.

`new` makes the folder of one; `check` says what is wrong with it, in findings.
"""
