"""What rule books promise: a sentence, a check, a finding."""
