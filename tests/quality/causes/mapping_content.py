"""Mappings whose content decides: keys are looked up, iterated, passed on."""


def connect(settings):
    """The address of the server that the settings name."""
    host = settings.get("host", "localhost")
    if "port" in settings:
        host = f"{host}:{settings['port']}"
    tls = settings.get("tls")
    if tls and tls.get("verify"):
        return "https+verify://" + host
    return "http://" + host


class Event:
    def __init__(self, payload: dict):
        self.payload = payload

    def actor(self):
        try:
            user = self.payload["sender"]["login"]
        except KeyError:
            return "nobody"
        if self.payload.get("action") == "closed":
            return user + " (closed)"
        return user


def box(width=1, height=1, *, border=False):
    return (width + 2, height + 2) if border else (width, height)


def layout(specs):
    """Boxes by name; a spec may inherit from another by ``like``."""
    made = {}
    for name, spec in specs.items():
        options = dict(spec)
        parent = options.pop("like", None)
        if parent is not None:
            options = {**specs[parent], **options}
        made[name] = box(**options)
    return made
