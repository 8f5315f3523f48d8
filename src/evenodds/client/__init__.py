"""Client of a match server: links, HTTP requests, event stream, and the seats saved on disk.

It replays what a server reports with the rules of `core` and trusts no response unchecked.
"""
