"""A solved game spread out over its transition graph: strategies, flow, shortest lines."""
