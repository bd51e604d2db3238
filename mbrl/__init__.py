"""Floating-point agents, environments and experiments for learning Markovian bandits.

``kernels`` computes (compiled), ``agents`` learn, ``environments`` are played in, ``experiments`` measure, ``figures``
draw what was measured, ``commands`` is ``python -m mbrl``. Nothing here is imported until it is asked for.
"""
