"""Messages of a match server: each is one type, which the server encodes and a client decodes.

Names of fields are the keys on the wire. Keys that are not known are ignored, and fields that a
client can do without have defaults, so that older and newer versions understand each other.
"""
