"""Plain data read back as objects: tags, hooks, and changes of older versions."""


class LoadError(ValueError):
    """The data does not describe an object; ``path`` says where."""

    def __init__(self, path, problem):
        super().__init__(f"{'.'.join(map(str, path)) or 'root'}: {problem}")
        self.path = tuple(path)


class Field:
    """One field of a record: how it is converted and checked."""

    def __init__(self, convert=None, *, required=True, default=None, check=None, many=False):
        self.convert = convert
        self.required = required
        self.default = default
        self.check = check
        self.many = many

    def load(self, value, path):
        """The value of the field."""
        if self.many:
            if not isinstance(value, list):
                raise LoadError(path, "a list was expected")
            return [self._one(item, [*path, index]) for index, item in enumerate(value)]
        return self._one(value, path)

    def _one(self, value, path):
        if self.convert is not None:
            try:
                value = self.convert(value)
            except (TypeError, ValueError) as error:
                raise LoadError(path, str(error)) from error
        if self.check is not None and not self.check(value):
            raise LoadError(path, f"{value!r} is not allowed")
        return value


class Loader:
    """Makes objects of dictionaries with a tag."""

    def __init__(self, tag="type", version=1, unknown="raise"):
        if unknown not in ("raise", "keep", "drop"):
            raise ValueError(f"unknown must be raise, keep or drop, not {unknown!r}")
        self.tag = tag
        self.version = version
        self.unknown = unknown
        self._records = {}
        self._upgrades = {}

    def record(self, name, make, **fields):
        """Say how the objects of a tag are made."""
        if name in self._records:
            raise ValueError(f"record {name!r} exists")
        self._records[name] = (make, fields)

    def upgrade(self, version):
        """Decorator of a function that brings data of a version to the next."""

        def add(function):
            self._upgrades[version] = function
            return function

        return add

    def load(self, data):
        """The object that the data describes."""
        if not isinstance(data, dict):
            raise LoadError([], "a mapping was expected")
        data = dict(data)
        version = data.pop("version", self.version)
        if version > self.version:
            raise LoadError(["version"], f"{version} is newer than {self.version}")
        while version < self.version:
            if version not in self._upgrades:
                raise LoadError(["version"], f"no way from {version}")
            data = self._upgrades[version](data)
            version += 1
        return self._object(data, [])

    def _object(self, data, path):
        try:
            name = data.pop(self.tag)
        except KeyError:
            raise LoadError(path, f"no {self.tag!r}") from None
        if name not in self._records:
            raise LoadError([*path, self.tag], f"unknown record {name!r}")
        make, fields = self._records[name]
        values = {}
        for key, field in fields.items():
            if key in data:
                values[key] = field.load(data.pop(key), [*path, key])
            elif field.required:
                raise LoadError([*path, key], "missing")
            elif callable(field.default):
                values[key] = field.default()
            else:
                values[key] = field.default
        if data and self.unknown == "raise":
            raise LoadError(path, f"unknown {sorted(data)}")
        if self.unknown == "keep":
            values["extra"] = data
        return make(**values)
