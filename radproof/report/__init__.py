"""What a check reports: tables, SARIF, annotations, a job summary, a comparison with a baseline."""
