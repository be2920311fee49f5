"""What is kept on disk: text written whole or not at all, path files, deployments, the corpus."""
