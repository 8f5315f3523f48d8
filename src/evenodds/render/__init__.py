"""HTML pages, SVG charts and text rendering shared by several packages.

Everything it draws is passed in as plain figures and text.
"""
