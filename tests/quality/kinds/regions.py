import os


def user(default="nobody"):
    return os.environ.get("APP_USER", default)


def region():
    name = os.environ["REGION"]
    if name.startswith("eu-"):
        return "europe"
    return name.upper()
