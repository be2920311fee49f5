"""What a check hands over: tables and figures as text, and, for a gate in CI, SARIF, annotations, a
job summary, a comparison with a baseline.
"""
