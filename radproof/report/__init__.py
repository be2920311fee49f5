"""What a check hands over: tables, SARIF, annotations, a job summary, a comparison with a baseline."""
