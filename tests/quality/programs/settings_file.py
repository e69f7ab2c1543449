"""Settings in sections: ``[name]``, ``key = value``, comments, continued lines, references."""

import re

HEADER = re.compile(r"\[(?P<name>[^\[\]]+)\]\s*$")
REFERENCE = re.compile(r"\$\{(?:(?P<section>\w+):)?(?P<key>\w+)\}")
TRUE = {"yes", "true", "on", "1"}
FALSE = {"no", "false", "off", "0"}


class SettingsError(ValueError):
    """A line that cannot be understood."""

    def __init__(self, number, problem):
        super().__init__(f"line {number}: {problem}")
        self.number = number


class Settings:
    """Sections by name, each with its values by key."""

    def __init__(self, strict=True, default="general"):
        self.strict = strict
        self.default = default
        self.sections = {}

    def read(self, text):
        """Read the lines of a text; answers how many values were set."""
        section = None
        key = None
        count = 0
        for number, line in enumerate(text.splitlines(), start=1):
            stripped = line.strip()
            if not stripped or stripped[0] in "#;":
                key = None
                continue
            if line[0].isspace():
                if key is None:
                    raise SettingsError(number, "nothing to continue")
                section[key] += "\n" + stripped
                continue
            header = HEADER.match(stripped)
            if header:
                name = header["name"].strip()
                if self.strict and name in self.sections:
                    raise SettingsError(number, f"section {name!r} twice")
                section = self.sections.setdefault(name, {})
                key = None
                continue
            if stripped.startswith("["):
                raise SettingsError(number, "unfinished header")
            name, sign, value = stripped.partition("=")
            if not sign:
                raise SettingsError(number, f"no value for {stripped!r}")
            if section is None:
                section = self.sections.setdefault(self.default, {})
            key = name.rstrip().lower()
            if self.strict and key in section:
                raise SettingsError(number, f"key {key!r} twice")
            section[key] = value.strip()
            count += 1
        return count

    def get(self, section, key, fallback=None):
        """A value with its references replaced."""
        values = self.sections.get(section)
        if values is None or key not in values:
            return fallback
        return self._replace(section, values[key], depth=0)

    def _replace(self, section, text, depth):
        if depth > 5:
            raise ValueError(f"references are too deep in {section!r}")

        def value(match):
            name = match["section"] or section
            try:
                found = self.sections[name][match["key"]]
            except KeyError:
                raise ValueError(f"unknown reference {match.group()}") from None
            return self._replace(name, found, depth + 1)

        return REFERENCE.sub(value, text)

    def flag(self, section, key, fallback=False):
        """A value as a truth value."""
        text = self.get(section, key)
        if text is None:
            return fallback
        if text.lower() in TRUE:
            return True
        if text.lower() in FALSE:
            return False
        raise ValueError(f"{text!r} is neither true nor false")

    def items(self, section):
        """Keys and values of a section, and those of the default below it."""
        merged = {}
        if self.default in self.sections:
            merged.update(self.sections[self.default])
        if section != self.default:
            merged.update(self.sections.get(section, {}))
        return sorted(merged.items())
