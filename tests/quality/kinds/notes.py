"""A program with sub-commands, of which one finds in a file what another left there."""

import argparse
import json
import os
import sys


def main(argv=None):
    parser = argparse.ArgumentParser(prog="notes")
    parser.add_argument("--store", default="notes.json")
    commands = parser.add_subparsers(dest="command")
    add = commands.add_parser("add")
    add.add_argument("text", nargs="+")
    remove = commands.add_parser("remove")
    remove.add_argument("number", type=int)
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return 2
    notes = []
    if os.path.exists(args.store):
        with open(args.store) as file:
            notes = json.load(file)
    if args.command == "add":
        notes.append({"number": len(notes) + 1, "text": " ".join(args.text)})
        print("added")
    else:
        left = [note for note in notes if note["number"] != args.number]
        if len(left) == len(notes):
            print("no such note", file=sys.stderr)
            return 1
        notes = left
        print("removed")
    with open(args.store, "w") as file:
        json.dump(notes, file)
    return 0
