"""The pages of docs/ that are generated: what holds of each scheduler, what catches each mutant."""
