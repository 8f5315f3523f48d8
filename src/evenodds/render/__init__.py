"""Pages, SVG charts and text that several packages show."""
