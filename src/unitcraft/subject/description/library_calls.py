"""What functions of the standard library accept, place by place.

``benchmarks/typeshed_calls.py`` prints the table from the signatures of typeshed.  ``path`` is a
text or an object that stands for a path, ``iterable`` whatever can be iterated over.

Invariant: a place is listed only where all overloads of the function accept the same kinds there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_STUBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "argparse": """
            ArgumentParser.parse_args(iterable) ArgumentParser.parse_known_args(iterable)
            ArgumentParser.convert_arg_line_to_args(str) ArgumentParser.exit(int,str)
            ArgumentParser.error(str) ArgumentParser.parse_intermixed_args(iterable)
            ArgumentParser.parse_known_intermixed_args(iterable)
            ArgumentParser(str,str,str,str,iterable,,str,str,,str) HelpFormatter.start_section(str)
            HelpFormatter.add_text(str) HelpFormatter.add_usage(str,iterable,iterable,str)
            HelpFormatter.add_arguments(iterable) HelpFormatter(,,,int)
            Action(iterable,str,,,,,iterable,,str,str|tuple)
        """,
        "asyncio.protocols": """
            Protocol.data_received(bytes) BufferedProtocol.get_buffer(int)
            BufferedProtocol.buffer_updated(int) DatagramProtocol.datagram_received(bytes,tuple)
        """,
        "base64": """
            standard_b64encode(bytes) standard_b64decode(str|bytes) a85encode(bytes)
            encodebytes(bytes) decodebytes(bytes) b64encode(bytes,bytes)
            b64decode(str|bytes,str|bytes) urlsafe_b64encode(bytes) urlsafe_b64decode(str|bytes)
            b32encode(bytes) b32decode(str|bytes,,str|bytes) b16encode(bytes) b16decode(str|bytes)
            b32hexencode(bytes) b32hexdecode(str|bytes) a85decode(str|bytes) b85encode(bytes)
            b85decode(str|bytes)
        """,
        "binascii": """
            b2a_uu(bytes) b2a_qp(bytes) crc_hqx(bytes,int) crc32(bytes,int)
            b2a_hex(bytes,str|bytes,int) hexlify(bytes,str|bytes,int) b2a_base64(bytes)
            rledecode_hqx(bytes) rlecode_hqx(bytes) b2a_hqx(bytes)
        """,
        "builtins": """
            str(,str,str) str.center(int,str) str.count(str,int,int) str.encode(str,str)
            str.endswith(str|tuple,int,int) str.expandtabs(int) str.find(str,int,int)
            str.index(str,int,int) str.join(iterable) str.ljust(int,str) str.lstrip(str)
            str.partition(str) str.removeprefix(str) str.removesuffix(str) str.rfind(str,int,int)
            str.rindex(str,int,int) str.rjust(int,str) str.rpartition(str) str.rsplit(str,int)
            str.rstrip(str) str.split(str,int) str.startswith(str|tuple,int,int) str.strip(str)
            str.zfill(int) str.maketrans(,str,str) str.replace(str,str,int) all(iterable)
            any(iterable) chr(int) delattr(,str) format(,str) getattr(,str) hasattr(,str)
            open(path) ord(str|bytes) setattr(,str) sorted(iterable) sum(iterable) bin(int)
            compile(,,str,,,int) eval(,,dict) exec(,,dict) hex(int) oct(int)
        """,
        "cmd": """
            Cmd(str) Cmd.precmd(str) Cmd.postcmd(,str) Cmd.parseline(str) Cmd.onecmd(str)
            Cmd.default(str) Cmd.completenames(str) Cmd.complete(str,int) Cmd.do_help(str)
            Cmd.print_topics(str,list,,int) Cmd.columnize(list,int)
        """,
        "datetime": """
            date(int,int,int) date.fromtimestamp(float) date.fromordinal(int)
            date.fromisocalendar(int,int,int) date.replace(int,int,int) date.fromisoformat(str)
            date.strftime(str) date.strptime(str,str) time(int,int,int,int) time.isoformat(str)
            time.replace(int,int,int,int) time.fromisoformat(str) time.strftime(str)
            time.strptime(str,str) timedelta(float,float,float,float,float,float,float)
            datetime(int,int,int,int,int,int,int) datetime.utcfromtimestamp(float)
            datetime.replace(int,int,int,int,int,int,int) datetime.isoformat(str,str)
            datetime.fromtimestamp(float) datetime.fromisoformat(str) datetime.strptime(str,str)
        """,
        "fnmatch": """
            fnmatchcase(str|bytes,str|bytes) filter(iterable) translate(str) filterfalse(iterable)
        """,
        "genericpath": """
            exists(path) isfile(path) isdir(path) sameopenfile(int,int) commonprefix(iterable)
            islink(path) getsize(path) getatime(path) getmtime(path) getctime(path)
            samefile(path,path) lexists(path)
        """,
        "glob": """
            escape(str|bytes) has_magic(str|bytes) glob0(str|bytes,str|bytes)
            glob1(str|bytes,str|bytes) glob(str|bytes) iglob(str|bytes) translate(str)
        """,
        "html": "escape(str) unescape(str)",
        "html.parser": """
            HTMLParser.feed(str) HTMLParser.handle_starttag(str,list) HTMLParser.handle_endtag(str)
            HTMLParser.handle_startendtag(str,list) HTMLParser.handle_data(str)
            HTMLParser.handle_entityref(str) HTMLParser.handle_charref(str)
            HTMLParser.handle_comment(str) HTMLParser.handle_decl(str) HTMLParser.handle_pi(str)
            HTMLParser.check_for_whole_start_tag(int) HTMLParser.parse_bogus_comment(int)
            HTMLParser.parse_endtag(int) HTMLParser.parse_html_declaration(int)
            HTMLParser.parse_pi(int) HTMLParser.parse_starttag(int) HTMLParser.set_cdata_mode(str)
        """,
        "importlib": "import_module(str,str) find_loader(str,str)",
        "json": "loads(str|bytes)",
        "logging": """
            Filterer.filter(logging:LogRecord) Handler.set_name(str)
            Handler.handle(logging:LogRecord) Handler.handleError(logging:LogRecord)
            Handler.format(logging:LogRecord) Handler.emit(logging:LogRecord) Formatter(str,str)
            Formatter.format(logging:LogRecord) Formatter.formatTime(logging:LogRecord,str)
            Formatter.formatMessage(logging:LogRecord) Formatter.formatStack(str) Filter(str)
            Filter.filter(logging:LogRecord) LoggerAdapter.log(int) LoggerAdapter.isEnabledFor(int)
            LoggerAdapter(,dict) getLogger(str) log(int) disable(int) addLevelName(int,str)
            makeLogRecord(dict) shutdown(iterable) getHandlerByName(str)
        """,
        "math": """
            acos(float) acosh(float) asin(float) asinh(float) atan(float) atan2(float,float)
            atanh(float) ceil(float) comb(int,int) copysign(float,float) cos(float) cosh(float)
            degrees(float) dist(iterable,iterable) erf(float) erfc(float) exp(float) expm1(float)
            fabs(float) factorial(int) floor(float) fmod(float,float) frexp(float) fsum(iterable)
            gamma(float) isclose(float,float) isinf(float) isfinite(float) isnan(float) isqrt(int)
            ldexp(float,int) lgamma(float) log(float,float) log10(float) log1p(float) log2(float)
            modf(float) perm(int,int) pow(float,float) prod(iterable) radians(float)
            remainder(float,float) sin(float) sinh(float) sqrt(float) tan(float) tanh(float)
            trunc(float) ulp(float) cbrt(float) exp2(float) fmax(float,float) fmin(float,float)
            isnormal(float) issubnormal(float) signbit(float) sumprod(iterable,iterable)
            fma(float,float,float)
        """,
        "os": """
            fsencode(path) fsdecode(path) get_exec_path(dict) getenv(str) open(path,int,int)
            write(int,bytes) access(path,int) chdir(path) chmod(path,int) link(path,path)
            lstat(path) mkdir(path,int) remove(path) removedirs(path) rename(path,path)
            renames(path,path) replace(path,path) rmdir(path) stat(path) symlink(path,path)
            truncate(path,int) unlink(path) utime(path,tuple) popen(str,str,int) system(path)
            getgrouplist(str,int) initgroups(str,int) setgroups(iterable) getenvb(bytes)
            pwrite(int,bytes,int) chroot(path) chown(path,int,int) lchown(path,int,int)
            mkfifo(path,int) makedirs(path,int) mknod(path,int,int) pathconf(path) statvfs(path)
            fwalk(path) memfd_create(str,int) sendfile(,,int,int,iterable,iterable,int)
            getxattr(path,path) listxattr(path) removexattr(path,path)
            setxattr(path,path,bytes,int)
        """,
        "posixpath": """
            commonpath(iterable) islink(path) ismount(path) lexists(path) isabs(path)
        """,
        "random": """
            Random.seed(,int) Random.setstate(tuple) Random.randrange(int,int,int)
            Random.randint(int,int) Random.randbytes(int) Random.choice(iterable)
            Random.choices(iterable,iterable) Random.uniform(float,float)
            Random.triangular(float,float,float) Random.betavariate(float,float)
            Random.gammavariate(float,float) Random.lognormvariate(float,float)
            Random.vonmisesvariate(float,float) Random.paretovariate(float)
            Random.weibullvariate(float,float) Random.shuffle(list) Random.sample(,int)
            Random.binomialvariate(int,float) Random.expovariate(float) Random.gauss(float,float)
            Random.normalvariate(float,float)
        """,
        "re": """
            Pattern.search(str|bytes,int,int) Pattern.match(str|bytes,int,int)
            Pattern.fullmatch(str|bytes,int,int) Pattern.split(str|bytes,int)
            Pattern.findall(str|bytes,int,int) Pattern.finditer(str|bytes,int,int)
            Pattern.sub(,str|bytes,int) Pattern.subn(,str|bytes,int) search(str|bytes,str|bytes)
            match(str|bytes,str|bytes) fullmatch(str|bytes,str|bytes)
            split(str|bytes,str|bytes,int) findall(str|bytes,str|bytes)
            finditer(str|bytes,str|bytes) sub(str|bytes,,str|bytes,int)
            subn(str|bytes,,str|bytes,int) escape(str|bytes)
        """,
        "shlex": "join(iterable) quote(str)",
        "shutil": """
            copyfileobj(,,int) copyfile(path) copymode(path,path) copystat(path,path) copy(path)
            copy2(path) copytree(path) move(path) disk_usage(path) which(,int,path)
            make_archive(str,str,path,path,,,str,str) register_archive_format(str,,,str)
            unregister_archive_format(str) unpack_archive(path,path,str)
            register_unpack_format(str,list,,,str) unregister_unpack_format(str)
            get_terminal_size(tuple) chown(path)
        """,
        "statistics": """
            geometric_mean(iterable) mean(iterable) harmonic_mean(iterable,iterable)
            median(iterable) median_low(iterable) median_high(iterable) mode(iterable)
            multimode(iterable) pstdev(iterable) pvariance(iterable) quantiles(iterable)
            stdev(iterable) variance(iterable) covariance(iterable,iterable)
            fmean(iterable,iterable) median_grouped(iterable) correlation(iterable,iterable)
            kde(iterable,float) kde_random(iterable,float)
        """,
        "string": """
            Template(str) Template.substitute(dict) Template.safe_substitute(dict)
            Formatter.format(str) Formatter.vformat(str,iterable,dict)
            Formatter.get_field(str,iterable,dict) Formatter.get_value(,iterable,dict)
            Formatter.check_unused_args(,iterable,dict) Formatter.format_field(,str)
            Formatter.convert_field(,str)
        """,
        "textwrap": """
            wrap(str,int) fill(str,int) shorten(str,int) dedent(str) indent(str,str)
        """,
        "time": """
            ctime(float) gmtime(float) localtime(float) sleep(float) strftime(str)
            strptime(str,str) clock_getres(int) clock_gettime(int) clock_settime(int,float)
            clock_gettime_ns(int) clock_settime_ns(int,int) pthread_getcpuclockid(int)
        """,
        "unicodedata": """
            bidirectional(str) category(str) combining(str) decimal(str) decomposition(str)
            digit(str) east_asian_width(str) is_normalized(,str) mirrored(str) name(str)
            normalize(,str) numeric(str) block(str) extended_pictographic(str)
            grapheme_cluster_break(str) indic_conjunct_break(str) isxidstart(str)
            isxidcontinue(str) iter_graphemes(str,int,int)
        """,
        "urllib.parse": """
            parse_qs(str|bytes,,,str,str,int,str) parse_qsl(str|bytes,,,str,str,int,str)
            quote(str|bytes,,str,str) quote_from_bytes(bytes) quote_plus(str|bytes,,str,str)
            unquote(str|bytes,str,str) unquote_to_bytes(str|bytes) unquote_plus(str,str,str)
            urldefrag(str|bytes) urlencode(,,str|bytes,str,str) urljoin(str|bytes,str|bytes)
            urlparse(str|bytes) urlsplit(str|bytes) unwrap(str) urlunparse(iterable)
            urlunsplit(iterable)
        """,
        "xml.sax.handler": """
            ContentHandler.startPrefixMapping(str,str) ContentHandler.endPrefixMapping(str)
            ContentHandler.startElement(str) ContentHandler.endElement(str)
            ContentHandler.startElementNS(tuple,str) ContentHandler.endElementNS(tuple,str)
            ContentHandler.characters(str) ContentHandler.ignorableWhitespace(str)
            ContentHandler.processingInstruction(str,str) ContentHandler.skippedEntity(str)
        """,
    }
)
_STUB: Final = re.compile(r"([\w.]+)\(([^)]*)\)")
#: ``module:qualname`` -> the kinds that each place accepts, ``|`` between them, '' where unknown.
ACCEPTED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        f"{module}:{name}": tuple(places.split(","))
        for module, text in _STUBS.items()
        for name, places in _STUB.findall(text)
    }
)
