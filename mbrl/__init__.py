"""Floating-point agents, environments and experiments for learning Markovian bandits."""
