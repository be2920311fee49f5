"""``python -m radproof`` is ``radproof``."""

from radproof.cli.main import main

if __name__ == "__main__":
    main(prog_name="radproof")
