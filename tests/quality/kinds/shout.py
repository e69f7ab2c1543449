import sys


def greet(name: str, loud: bool = False) -> None:
    """Greet on standard output."""
    if loud:
        print(f"HELLO {name.upper()}!")
    else:
        print(f"hello {name}")


def report(count: int) -> int:
    """The number of files, which is printed too."""
    if count < 0:
        print("negative count", file=sys.stderr)
        raise SystemExit(2)
    sys.stdout.write(f"{count} files\n")
    return count
