"""HTML, SVG charts and text rendering shared by several packages."""
