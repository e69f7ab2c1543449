import os


def set_mode(mode: str, simple: bool = False) -> None:
    os.environ["SHOP_MODE"] = "auto" if simple else mode


def home(folder: str) -> str:
    os.environ.setdefault("SHOP_HOME", folder)
    return os.environ["SHOP_HOME"]
