"""What a check hands over: tables, SARIF, annotations, a job summary, a baseline compared."""
