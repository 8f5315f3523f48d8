"""HTTP route handlers, one module for each part of the site."""
