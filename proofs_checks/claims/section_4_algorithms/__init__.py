"""The three learners (Section 4): what they estimate, with which radii and bonuses."""
