"""What people give to a name, counted in a small library."""

import importlib.util
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "named_examples.py"
#: Three modules, a test of one of them, and an application.
LIBRARY = {
    "client.py": """
        def fetch(url, method="GET", retries=3):
            if method in ("GET", "HEAD"):
                return {"charset": "utf-8"}
    """,
    "server.py": """
        class Server:
            charset = "utf-8"

            def __init__(self, port, method):
                self.secure = method in ("GET", "HEAD")
                self.charset = "latin-1"
                self.port = 8080
    """,
    "mail.py": """
        import server
        def send(user_email="ann@example.com", charset=None, title="foo"):
            server.Server(8080, "HEAD")
            send(charset="latin-1", title="title")
    """,
    "test/test_client.py": """
        from client import fetch
        fetch("http://www.python.org", "GET")
        fetch(url="abc", method="spawn", port=8080, charset="latin-1")
    """,
    "test/test_spawn.py": "start(method='GET', charset='utf-8', port=1)",
    "proxy.py": "fetch('', 'GET', charset='utf-8', user_email='ann@example.com')",
    "idlelib/window.py": "open(charset='koi8-r', port=80)",
    "broken.py": "def",
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    for name, text in LIBRARY.items():
        (folder / name).parent.mkdir(exist_ok=True)
        lines = text.strip("\n").split("\n")
        indent = len(lines[0]) - len(lines[0].lstrip())
        (folder / name).write_text("\n".join(line[indent:] for line in lines))
    module = counting()
    module.MIN_MODULES = {str: 4, int: 3}
    modules = module.modules_of(folder)
    texts, numbers = counted(module, modules)
    return dict(module.examples(texts, numbers, module.parameters_of(modules)))


def counting():
    spec = importlib.util.spec_from_file_location("named_examples", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def counted(module, modules):
    texts, numbers = (defaultdict(lambda: defaultdict(set)) for _ in range(2))
    module.count_uses(modules, texts, numbers)
    return texts, numbers


def test_what_several_modules_give_to_a_name_is_an_example(rows):
    assert rows["method"] == ["'GET'", "'HEAD'"]
    assert rows["charset"] == ["'utf-8'", "'latin-1'"]
    assert rows["port"] == ["8080"]


def test_a_reserved_name_needs_one_other_module(rows):
    assert rows["user_email"] == rows["email"] == ["'ann@example.com'"]


def test_arbitrary_texts_and_what_one_module_says_are_none(rows):
    assert not {"title", "url", "retries", "secure"} & set(rows)


def test_a_project_counts_once_and_its_settings_do_not(tmp_path):
    (tmp_path / "conf.py").write_text("style = 'sphinx'\n")
    (tmp_path / "one.py").write_text("def show(style='bold'):\n    return style\n")
    (tmp_path / "test_one.py").write_text(
        "show(style='bold')\nparser.add_argument('-v', action='store_true')\n"
    )
    module = counting()
    texts, numbers = counted(module, module.project_modules(tmp_path))
    assert texts == {"style": {"bold": {f"{tmp_path.name}/"}}}
    assert numbers == {}
