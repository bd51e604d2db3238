"""Appendix D: the algorithms of the experiments, their priors, and how regret is computed."""
