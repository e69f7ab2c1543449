class Field:
    def __init__(self, default=None, required=False):
        self.default = default
        self.required = required

    def check(self, value):
        return value


class Text(Field):
    def check(self, value):
        if not isinstance(value, str):
            raise TypeError("a text is wanted")
        return value.strip()


class RecordMeta(type):
    def __new__(mcs, name, bases, attrs):
        fields = {}
        for key, value in list(attrs.items()):
            if isinstance(value, Field):
                fields[key] = attrs.pop(key)
        for base in bases:
            for key, value in getattr(base, "fields", {}).items():
                fields.setdefault(key, value)
        attrs["fields"] = fields
        return super().__new__(mcs, name, bases, attrs)


class Record(metaclass=RecordMeta):
    def __init__(self, **values):
        for key, field in self.fields.items():
            if key in values:
                setattr(self, key, field.check(values.pop(key)))
            elif field.required:
                raise ValueError(f"{key} is required")
            else:
                setattr(self, key, field.default)
        if values:
            raise ValueError(f"unknown: {sorted(values)}")

    def as_dict(self):
        return {key: getattr(self, key) for key in self.fields}

    def empty(self):
        return [key for key in self.fields if getattr(self, key) is None]
