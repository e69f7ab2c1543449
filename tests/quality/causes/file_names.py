"""Code that asks for the names and the endings of files."""

import json, os
from pathlib import Path

def load(path):
    name = str(path)
    if ".py" in name:
        return {"python": Path(path).read_text()}
    stem, ending = os.path.splitext(name)
    if ending == ".json":
        with open(path) as file:
            return json.load(file)
    if name.endswith((".ini", ".cfg")):
        return dict(line.split("=") for line in open(path).read().splitlines())
    raise ValueError(f"cannot load {os.path.basename(name)}")

def kind(path: Path) -> str:
    if not path.exists():
        return "missing"
    if path.suffix in (".jpg", ".png"):
        return "image"
    if path.name == "README":
        return "readme"
    if path.name.startswith("test_"):
        return "test"
    return "other"
