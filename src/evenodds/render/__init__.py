"""HTML, SVG charts and text rendering shared by several packages.

It may import core and system only: everything it draws is passed in as plain figures and text.
"""
