"""Learners: their common interface, the paper's algorithms, baselines, and a registry that also takes a user's own."""

from mbrl.agents.interface import Agent, Problem, Trajectory
from mbrl.agents.registry import AGENTS, AgentEntry, make_agent

__all__ = ["AGENTS", "Agent", "AgentEntry", "Problem", "Trajectory", "make_agent"]
