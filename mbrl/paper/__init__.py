"""What serves one paper alone: its printed curves, their comparison with finished runs, and readings of its text.

``printed`` holds the curves as data, ``comparison`` compares them with a run point by point, ``readings`` lists what
the paper leaves open or states twice, and measures what each choice does.
"""
