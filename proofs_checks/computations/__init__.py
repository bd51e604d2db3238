"""Pieces of argument that several checks share: symbolic inequalities, certified comparisons, families of models."""
