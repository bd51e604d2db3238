"""Section 6: which learners scale, and why indices computed arm by arm are not optimistic."""
