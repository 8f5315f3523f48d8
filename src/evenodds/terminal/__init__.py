"""The terminal user interface: screen, keyboard, match loops, reports, saved matches."""
