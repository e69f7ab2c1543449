"""Where a file is imported from: packages with and without ``__init__.py``."""

from __future__ import annotations

import pytest

from unitcraft.core.interpreter import OWN
from unitcraft.subject.import_roots import import_root
from unitcraft.subject.locate import locate

#: Files, the file in question, its text, entries of sys.path, and the folder it is imported from.
CASES = {
    "beside": ((), "tool.py", "import helper", (), "."),
    "in a folder": ((), "scripts/tool.py", "import helper", (), "scripts"),
    "in a package": (("src/shop/__init__.py",), "src/shop/cart.py", "import shop.x", (), "src"),
    "imports what stands in the folder": (
        ("app/models.py",), "app/services/user.py", "from app.models import User", (), ".",
    ),
    "imports a folder in the folder": (
        ("app/db/x.py",), "app/services/user.py", "import os\n\nfrom app import db\n", (), ".",
    ),
    "a package in a namespace": (
        ("src/ns/one/__init__.py", "src/ns/one/base.py"),
        "src/ns/one/mod.py", "import ns.one.base", (), "src",
    ),
    "another portion, the folder is on the path": (
        (), "src/ns/one/mod.py", "from ns.two.rates import RATE", ("src",), "src",
    ),
    "another portion, nothing says so": (
        (), "src/ns/one/mod.py", "from ns.two.rates import RATE", (), "src/ns/one",
    ),
    "below an entry": ((), "src/ns/one/mod.py", "import os", ("src",), "src"),
    "below the sources of a project": (("pyproject.toml",), "src/ns/mod.py", "", (), "src"),
    "below the sources of nobody": ((), "src/ns/mod.py", "", (), "src/ns"),
    "below an entry, with a module beside it": (
        ("tools/helper.py",), "tools/run.py", "import helper", (".",), "tools",
    ),
    "sources below an entry": ((), "src/run.py", "", (".",), "src"),
    "a project below an entry": (("one/setup.py",), "one/run.py", "", (".",), "one"),
    "an installed package of the same name": ((), "yaml/tool.py", "import yaml.nodes", (), "yaml"),
    "the folder of a project is no package": (
        ("app/pyproject.toml", "app/models.py"), "app/tool.py", "import app.models", (), "app",
    ),
    "a package in a folder of its name": (
        ("shop/shop/__init__.py", "shop/models.py"),
        "shop/shop/cart.py", "from shop.models import X", (".",), "shop",
    ),
    "a comment is no import": (
        ("app/models.py",), "app/services/user.py", "# from app.models import User", (),
        "app/services",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_root_is_found(name, write, tmp_path):
    files, file, text, entries, root = CASES[name]
    for one in files:
        write(one, "")
    write(file, text)
    found = import_root(tmp_path / file, [tmp_path / one for one in entries])
    assert found == tmp_path / root


def test_targets_in_namespaces_get_their_whole_name(write, tmp_path):
    write("src/ns/one/mod.py", "from ns.two import x\n\n\ndef f(): ...\n")
    (located,) = locate("src/ns/one/mod.py", tmp_path, [tmp_path / "src"], OWN)
    assert (located.module, located.root) == ("ns.one.mod", tmp_path / "src")
