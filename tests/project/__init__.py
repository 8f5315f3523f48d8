"""Tests of the project itself: its documents, its set-up, its layout, its earlier releases."""
