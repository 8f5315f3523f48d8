"""Commands that serve others: people in browsers, programs that speak MCP."""
