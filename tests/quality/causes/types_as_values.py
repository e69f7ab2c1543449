"""Types and syntax as values: dataclasses, annotations, nodes, exceptions with a number."""

import ast
import dataclasses
import enum


def schema(cls):
    """The types of the fields of a dataclass, by name."""
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"{cls!r} is no dataclass")
    fields = {}
    for field in dataclasses.fields(cls):
        required = field.default is dataclasses.MISSING
        fields[field.name] = (field.type, required)
    return fields


def choices(cls, upper=False):
    """The names of the members of an enumeration."""
    if not (isinstance(cls, type) and issubclass(cls, enum.Enum)):
        raise TypeError("no enumeration")
    names = [member.name for member in cls]
    if upper:
        return [name.upper() for name in names]
    return names


class Names(ast.NodeVisitor):
    """Names that code binds."""

    def __init__(self):
        self.found = []

    def visit_FunctionDef(self, node: ast.FunctionDef):
        self.found.append(node.name)
        for argument in node.args.args:
            if argument.arg != "self":
                self.found.append(argument.arg)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.found.append(target.id)


def advice(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "create it"
    if isinstance(error, (KeyError, IndexError)):
        return f"{error.args[0]} is missing"
    return "try again"
