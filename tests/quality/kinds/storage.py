import json
import os


def load_settings(path: str) -> dict:
    """The settings in a file of JSON; defaults when there is none."""
    if not os.path.exists(path):
        return {"debug": False}
    with open(path) as file:
        data = json.load(file)
    if "version" not in data:
        raise ValueError("no version")
    return data


def save_lines(path, items: list[str]) -> None:
    with open(path, "w") as file:
        for item in items:
            file.write(item + "\n")


def python_files(folder: str) -> list[str]:
    return sorted(os.path.join(folder, one) for one in os.listdir(folder) if one.endswith(".py"))
