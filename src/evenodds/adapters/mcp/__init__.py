"""The games as tools of a language model, over the Model Context Protocol."""
