"""Files on disk: paths, deployments, states and the corpus, with one JSON layer under all."""
