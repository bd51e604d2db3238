"""The command that holds anyone's implementation to exact answers."""
