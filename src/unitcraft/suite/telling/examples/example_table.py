"""What people give to a name, as Python's standard library and its tests do.

``benchmarks/named_examples.py`` prints both tables, of CPython 3.11.

Invariant: several modules of the library agree on a value, or it has a name that is reserved for
examples, like ``example.com``; the commonest comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Name of a parameter, a keyword or a key -> what it is given.
EXAMPLES: Final[Mapping[str, tuple[str | int, ...]]] = MappingProxyType({
    "action": ("ignore", "store_true", "error"),
    "addr": ("joe@example.com",),
    "addrs": ("foo@example.net",),
    "byteorder": ("little", "big"),
    "charset": ("utf-8", "us-ascii", "iso-8859-1"),
    "code": (200, 401),
    "content_type": ("text/plain", "text/html"),
    "cte": ("base64", "quoted-printable"),
    "domain": ("example.com",),
    "email": ("user@example.org",),
    "encoding": ("utf-8", "ascii"),
    "errors": ("ignore", "strict", "replace"),
    "event": ("call", "line", "return"),
    "ext": (".py",),
    "from_addr": ("joe@example.com",),
    "host": ("localhost", "127.0.0.1", "example.com"),
    "hostname": ("localhost", "axxb.example.com", "python.example.org"),
    "http": ("https",),
    "key1": ("value1",),
    "keyword": ("Content-Type", "Content-Length"),
    "maintype": ("text", "multipart"),
    "max_line_length": (20,),
    "maxlinelen": (76,),
    "method": ("GET", "HEAD", "POST"),
    "mode": ("rb", "wb"),
    "nframes": (48,),
    "origin_req_host": ("example.com",),
    "param": ("charset", "filename"),
    "platform": ("win32", "darwin", "vxworks"),
    "platlibdir": ("lib",),
    "port": (80,),
    "pythonioencoding": ("ascii", "utf-8"),
    "realm": ("realm2@example.com",),
    "request_method": ("GET",),
    "scheme": ("http", "https"),
    "server_hostname": ("python.example.org",),
    "server_name": ("spam.example.com",),
    "state": ("EOF", "CLOSED", "INITIAL"),
    "subdir": ("xmltestdata",),
    "subtype": ("plain", "mixed"),
    "to_addrs": ("foo@example.net",),
    "uri": ("http://example.com/ns",),
    "url": ("http://www.example.com", "http://www.python.org"),
    "version": ("1.0",),
    "width": (10, 20, 80),
})  # fmt: skip
#: Those that say the same as the last word of another name, as of ``base_url``.
LAST_WORDS: Final = frozenset(
    """
    addr addrs charset domain email encoding errors host hostname realm uri url
    """.split()  # noqa: SIM905 - as many names as lines of a list
)
