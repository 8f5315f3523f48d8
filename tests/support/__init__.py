"""What tests share: servers, browsers, databases, programs that misbehave."""
