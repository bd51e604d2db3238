"""The paper's printed curves, their comparison with finished runs, and readings of its text.

``printed`` holds the curves as data, ``comparison`` compares them with a run point by point, and ``readings`` lists the
choices that the paper leaves open or states twice.
"""
