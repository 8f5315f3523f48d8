"""HTML pages, SVG charts and text rendering shared by several packages.

Everything it draws is passed in as plain figures and text.

May import `core`, `figures` and `system`; libraries: `jinja2`, `markdown_it` and `markupsafe`.
"""
