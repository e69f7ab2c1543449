import argparse
import sys


def main(argv=None):
    parser = argparse.ArgumentParser(prog="tool")
    parser.add_argument("name")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--shout", action="store_true")
    args = parser.parse_args(argv)
    if args.count < 0:
        print("count must not be negative", file=sys.stderr)
        return 1
    for _ in range(args.count):
        print(args.name.upper() if args.shout else args.name)
    return 0


def first_word():
    if len(sys.argv) < 2:
        sys.exit("usage: tool WORD")
    return sys.argv[1].title()


def ask(question):
    answer = input(question + " [y/n] ").strip().lower()
    if answer == "y":
        return True
    if answer == "n":
        return False
    raise ValueError(f"no answer: {answer}")
