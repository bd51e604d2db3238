"""Trials: functions, learners and formulas compared with exact answers, on fixed, generated and random instances."""
