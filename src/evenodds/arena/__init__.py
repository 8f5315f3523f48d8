"""Players compared: schedules, matches in bulk, exact results, ratings."""
