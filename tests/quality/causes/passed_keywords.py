"""Keywords that are passed on."""


def _draw(shape, colour="black", width=1, dashed=False):
    line = f"{shape} in {colour}"
    if dashed:
        line += ", dashed"
    if width > 1:
        line += f", {width} wide"
    return line


def circle(radius, **style):
    """A circle; the style is that of every shape."""
    return _draw(f"circle {radius}", **style)


class Client:
    def __init__(self, base: str, **options):
        self.base = base
        self.timeout = options.pop("timeout", 30)
        self.retries = options.pop("retries", 0)
        if options:
            raise TypeError(f"unknown options: {', '.join(sorted(options))}")

    def request(self, path: str, **kwargs):
        url = self.base + path
        if "params" in kwargs:
            pairs = [f"{key}={value}" for key, value in kwargs["params"].items()]
            url += "?" + "&".join(pairs)
        method = kwargs.get("method", "GET")
        if method == "POST":
            return f"POST {url} {kwargs.get('body', '')}"
        return f"{method} {url}"


class Tag:
    def __init__(self, name, *children, **attributes):
        self.name, self.children, self.attributes = name, children, attributes

    def render(self):
        text = self.name
        for key, value in self.attributes.items():
            if key == "class_":
                key = "class"
            elif key.startswith("data_"):
                key = key.replace("_", "-")
            if value is True:
                text += f" {key}"
            else:
                text += f' {key}="{value}"'
        if not self.children:
            return f"<{text}/>"
        return f"<{text}>{''.join(map(str, self.children))}</{self.name}>"
