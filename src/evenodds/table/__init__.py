"""One match as its players meet it: held on this machine or on a server, behind one interface.

`table` is that interface, with its events; `local` and `remote` are the two hosts. A front shows a
table: lines of text (`terminal.play`), or the app.
"""
