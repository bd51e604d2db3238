"""Trials of programs: functions, learners and formulas held to exact answers on instances of every origin."""
