"""``python -m radproof`` is ``radproof``."""

from radproof.cli import main

if __name__ == "__main__":
    main(prog_name="radproof")
