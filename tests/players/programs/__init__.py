"""Programs that play, well or badly, run by the tests as their own processes."""
