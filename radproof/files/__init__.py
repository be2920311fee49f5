"""What is kept on disk: path, deployment and state files, the corpus; one JSON layer under all."""
