"""The web application: matches over the network, each pick durable before it is acknowledged."""
