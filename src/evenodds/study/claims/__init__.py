"""Whether a rule book keeps its promises, and what each reading of it would change."""
