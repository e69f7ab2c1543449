import subprocess
from urllib.request import urlopen


def upload(name: str, quiet: bool = False) -> int:
    "Upload a file; the number of words in the answer."
    words = ["send", name]
    if quiet:
        words.append("--quiet")
    done = subprocess.run(words, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError("upload failed")
    return len(done.stdout)


def is_known(name: str) -> bool:
    return name in urlopen("https://example.org/names").read()
