"""Client of a match server: links, HTTP requests, event stream, and the seats saved on disk."""
