"""What random programs are made of: templates with holes.

``{kind}`` is an expression of that kind, ``$1`` a fresh name, ``{kind|$1:int}`` an expression
that may use the fresh name as an int, and ``{kind!}`` a constant or a variable.
"""

EXPRESSIONS = {
    "int": """
{int} + {int}
{int} - {int}
{int} * {int!}
{int} // {int}
{int} % {int}
{int} // {int!}
{int} % {int!}
-{int}
~{int}
+{int}
abs({int})
{int} & {int}
{int} | {int}
{int} ^ {int}
{int} << ({int} % 4)
{int} >> ({int} % 4)
{int} << ({int!} % 70)
({int!} % 5) ** ({int!} % 4)
({bool}) + {int}
{int} * ({bool})
({bool}) - ({bool})
{int} if {bool} else {int}
{int} and {int}
{int} or {int}
len({str})
len({bytes})
len({ints})
len({strs})
len({dict})
len({set})
len({obj})
max({int}, {int})
min({int}, {int}, {int})
max({ints})
min({ints}, default={int})
sum({ints})
sum({int|$1:int} for $1 in {ints})
int({str})
int({str!})
int({float})
int({bool})
int({str}, {int!})
round({float})
round({int}, {int!} % 5 - 3)
divmod({int}, {int})[{int!}]
pow({int}, {int!} % 3, 7)
ord({str})
ord({str}[{int}])
{ints}[{int}]
{ints}[{int!}]
{ints}[-1]
(3, 1, 4, 1, 5)[{int}]
{dict}[{int}]
{dict}.get({int}, {int})
{dict}.get({int!})
{dict}.pop({int}, {int})
{dict}.setdefault({int}, {int})
{sdict}[{str}]
{sdict}.get({str}, {int})
{pair}[0]
{pair}[{int!}]
{str}.find({str})
{str}.count({str})
{str}.index({str})
{str}.rfind({str!}, {int!})
{ints}.index({int})
{ints}.count({int})
{ints}.pop()
{ints}.pop({int})
{bytes}[{int}]
{bytes}.find({bytes})
{obj}.a
{obj}.a
{obj}.total
{obj}.step({int})
{obj}[{int}]
{obj}({int})
hash({int!}) % 5
hash({str!}) == hash({str!})
(lambda $1: {int|$1:int})({int})
($1 := {int}) + $1
[{int|$1:int} for $1 in {ints} if {bool|$1:int}][{int!}]
next(({int|$1:int} for $1 in {ints} if {bool|$1:int}), {int})
{int}.bit_length()
int.bit_length({int})
{float!}.as_integer_ratio()[0]
({int}, {str})[0]
operator.add({int}, {int})
functools.reduce(lambda $1, $2: $1 + $2 % 3, {ints}, {int})
math.gcd({int}, {int})
math.floor({float})
math.isqrt({int})
bisect.bisect(sorted({ints}), {int})
collections.Counter({ints})[{int}]
collections.defaultdict(int)[{int}]
int.from_bytes({bytes}, "big") % 97
struct.unpack(">h", {bytes}[:2])[0]
struct.unpack("<Bxh", struct.pack(">hh", {int} % 300, {int!}))[1]
struct.unpack_from("B", {bytes}, {int!})[0]
json.loads({str})["a"]
json.loads("[" + str({int}) + "]")[0]
json.loads('{"a": ' + str({int}) + "}").get("a", {int!})
len(json.loads("[" + {str} + "]"))
datetime.date(2000 + {int} % 9, {int} % 14, {int!}).month
datetime.date({int} % 3000, 1 + {int} % 12, 1 + {int} % 28).weekday()
(datetime.date(2001, 3, 1 + {int} % 28) - datetime.date(2001, 2, 3)).days
datetime.timedelta({int}, {int}).seconds
datetime.timedelta(hours={int}, days={int}).days
int(PATTERN.match({str})[1])
PATTERN.search({str}).end()
helper({int}, {int})
recur({int!} % 4, {int})
""",
    "float": """
{float} + {float}
{float} - {float}
{float} * {float}
{float} / {float}
{float} // {float}
{float} % {float}
{int} / {int}
{float} + {int}
{int} * {float}
{float!} + {int!}
{float!} * {int!}
1.5 + {int}
0.5 * {int}
{int} - 2.5
{float} ** ({int!} % 9)
-{float}
abs({float})
float({int})
float({str!})
float({bool})
round({float}, {int!} % 5 - 2)
max({float}, {float})
min({float}, {int})
{float} if {bool} else {float}
{floats}[{int}]
sum({floats})
sum([{float}, {int}, {float}])
math.sqrt({float})
math.copysign({float}, {float})
math.fmod({float}, {float})
{float}.conjugate()
{float} and {float}
{float} or {float}
divmod({float}, {int})[{int!}]
""",
    "str": """
{str} + {str}
{str} * ({int} % 4)
{str} * min({int!}, 9)
min(9, {int!}) * {str}
{str}[{int}]
{str}[{int!}]
{str}[{int}:{int}]
{str}[{int!}:]
{str}[:{int}]
{str}[::-1]
{str}[{int!}:{int}:{int!}]
{str}.upper()
{str}.lower()
{str}.strip()
{str}.strip({str!})
{str}.replace({str}, {str!})
{str}.title()
{str}.swapcase()
{str}.zfill({int!} % 9)
{str}.center({int!} % 9, {str!})
{str}.ljust({int!} % 9)
{str}.removeprefix({str})
{str}.split({str!})[{int!}]
{str}.partition({str!})[{int!}]
{str}.join({strs})
",".join({strs})
"-".join({str|$1:int} for $1 in {ints})
"".join(str($1) for $1 in {ints})
str({int})
str({float})
str({bool})
str({str})
str({obj})
str({ints})
str({dict})
repr({str})
repr({int})
repr({strs})
repr({pair})
chr({int} % 100 + 20)
chr({int})
hex({int})
bin({int})
format({int}, "x")
format({float}, ".2f")
f"{{int}}"
f"{{int}:>4}|{{str}!r}"
f"{{str}}-{{int}}"
f"{{str}:>{{int!} % 9}}"
f"{{ints}}{{obj}}"
f"{{float}:.1f}"
f"{{bool}}"
"%s=%d" % ({str}, {int})
"%s" % {str}
"%d" % {int}
"%5.1f|" % {float}
"%s%%" % {bool}
"%s" % ({ints},)
"%(k)s" % {"k": {str}}
{str} % {int}
"{}:{}".format({int}, {str})
"{0:>4}{1!r}".format({str}, {str})
"{a}".format(a={int})
{strs}[{int}]
{pair}[1]
{str} if {bool} else {str}
{str} or {str}
{str} and {str}
max({str}, {str})
min({strs})
{obj}.b
{bytes}.decode()
{bytes}.decode("latin-1")
re.sub("[ab]", {str!}, {str})
(re.match("([a-z])(.*)", {str}) or ["", "z"])[1]
sorted({strs})[0]
{str}.encode().decode()
str({str}.isdigit())
{str}.format({int})
type({int}).__name__
type({str}).__name__
type(json.loads({str})).__name__
str(datetime.date(2000, 1 + {int} % 12, {int!} % 28 + 1))
(PATTERN.match({str}) or [None, {str}])[1]
json.dumps(json.loads({str}))
ascii({str})
{str}.translate({97: "z", 98: None})
"abc"[{int}]
"xyz"[{int}:]
""",
    "bytes": """
struct.pack(">I", {int})
struct.pack("<b?", {int} % 200, {bool})
{bytes} + {bytes}
{bytes} * ({int} % 3)
{bytes}[{int}:{int}]
{bytes}.upper()
{bytes}.strip()
{bytes}.replace({bytes}, {bytes!})
{bytes}.split({bytes!})[{int!}]
{str}.encode()
bytes([*{ints}])
bytes({bytes})
bytes({int} % 5)
b"%d" % {int}
{bytes} or {bytes}
({int} % 200).to_bytes(2, "big")
b",".join([{bytes}, {bytes}])
""",
    "bool": """
datetime.date(1 + {int} % 3000, 1 + {int} % 12, 5) < datetime.date({int!} % 9 + 1995, 5, 5)
datetime.date(1999, {int}, 5) == datetime.date(1999, {int}, 5)
datetime.timedelta({int}) > datetime.timedelta(seconds={int})
datetime.datetime(1999, 5, 5, {int} % 24) >= datetime.datetime(1999, 5, 5, {int} % 24)
bool(datetime.timedelta(minutes={int}))
"a" in json.loads({str})
isinstance(json.loads({str}), list)
json.loads({str}) == {int}
bool(json.loads('{"a": [' + str({int}) + "]}")["a"])
PATTERN.fullmatch({str}) is None
{int} == {int}
{int} != {int}
{int} < {int}
{int} <= {int!}
{int} > {int}
{int} >= {int}
{int} < {int} < {int}
{int} <= {int!} != {int}
{float} < {float}
{float} == {int}
{float} <= {float} < {float}
{float} == {float}
{float} != {float}
{int} < {float}
{int!} == {float!}
{str} == {str}
{str} == {str!}
{str} != {str}
{str} < {str}
{str} <= {str!}
{bytes} == {bytes}
{bytes} < {bytes}
{str} == {int}
{bytes} == {str}
({bool}) == {int}
({bool}) == ({bool})
{str} in {str}
{str} not in {str}
{str!} in "abc,12"
{int} in {ints}
{int} in (1, 2, 5)
{int} in [1.0, 2.0, {int}]
{int} not in {dict}
{int} in {dict}
{str} in {sdict}
{str} in {strs}
{int} in {set}
{int} in {1, 3, 5}
{int} in range({int})
{int} in range({int}, {int}, {int!})
{int} in {dict}.keys()
{int} in {dict}.values()
({int}, {int}) in {({int}, {int}): 1}
({int}, {str}) in {({int}, {str}), (1, "a")}
{int} in bytes({ints})
{int} in {bytes}
{bytes} in {bytes}
{int} in {obj}
{str} == {str} in {strs}
{int} < {int} in {ints}
{int} in {ints} in [{ints}]
not {int}
not {str}
not {ints}
bool({int})
bool({str})
bool({float})
bool({obj})
{bool} and {bool}
{bool} or {bool}
not ({bool})
{bool} if {bool} else {bool}
{str}.isdigit()
{str}.startswith({str})
{str}.startswith(("a", {str}))
{str}.endswith({str!})
{str}.isalpha()
{str}.isspace()
{bytes}.startswith({bytes})
isinstance({int}, int)
isinstance({str}, (int, float))
isinstance({int}, bool)
isinstance({float}, float)
isinstance({obj}, Item)
type({int}) is int
type({float}) is float
type({int}) == type({float})
type({str}) in (str, bytes)
({bool}) is True
({bool}) is ({bool})
({int} % 9) is 3
{int} is {int!} or True
{obj} is {obj}
{ints} is {ints}
{int} is None
{str} is not None
{ints} == {ints}
{ints} < {ints}
{ints} != [{int}, 1.5]
[1.5, True] == [{int}, {int}]
{strs} == [{str}, {str}]
{dict} == {dict}
{dict} == {1: {int}}
{dict} != {sdict}
{set} == {set}
{set} <= {set}
{set} < {1, {int}}
{set} & {set} == set()
{set}.isdisjoint({set})
{set}.issubset({ints})
{pair} == ({int}, {str})
{pair} < ({int}, {str})
{obj} == {obj}
{obj} < {obj}
{obj} in [{obj}, {obj}]
all({bool|$1:int} for $1 in {ints})
any({bool|$1:int} for $1 in {ints})
any({ints})
math.isnan({float})
math.isinf({float})
{float}.is_integer()
re.match("[0-9]+", {str}) is not None
re.search("a|b", {str}) is None
bool(re.fullmatch("[a-z]*", {str}))
callable({obj})
hasattr({obj}, "a")
""",
    "ints": """
[{int}, {int}]
[{int}, {int}, {int}]
[]
[{int}] * ({int} % 3)
[{int}] * min({int!}, 9)
{ints} + {ints}
{ints}[{int}:{int}]
{ints}[:{int!}]
{ints}[::{int!}]
sorted({ints})
sorted({ints}, reverse=True)
sorted({ints}, key=lambda $1: {int|$1:int})
list(reversed({ints}))
list(range({int} % 5))
list(range(min({int}, 9)))
list(range({int!} % 9, {int} % 9, {int!}))
[{int|$1:int} for $1 in {ints}]
[{int|$1:int} for $1 in {ints} if {bool|$1:int}]
[{int|$1:int,$2:int} for $1 in {ints} for $2 in {ints}][:3]
[{int|$1:int,$2:int} for $1, $2 in enumerate({ints})]
[{int|$1:int,$2:str} for $1, $2 in zip({ints}, {strs})]
[*{ints}, {int}]
list({dict})
list({dict}.values())
[{int|$1:int,$2:int} for $1, $2 in {dict}.items()]
sorted({set})
list({set})
[*{set}]
list({dict!}.keys())
list(map(abs, {ints}))
list(filter(None, {ints}))
list(map(lambda $1: {int|$1:int}, {ints}))
[ord($1) for $1 in {str}]
list({bytes})
[{int|$1:str} for $1 in {str}]
{ints} if {bool} else {ints}
{ints} or {ints}
list(made({int} % 4, {int}))
list({ints})
{ints}.copy()
copy.copy({ints})
copy.deepcopy({ints})
[$1 for $1, $2 in itertools.groupby({ints})]
list(itertools.accumulate({ints}))
list(itertools.chain({ints}, {ints}))
list(divmod({int}, {int}))
{obj}.c
heapq.nsmallest(2, {ints})
[int($1) for $1 in {str}.split(",")]
list(dict.fromkeys({ints}))
list({$1: 0 for $1 in {ints}})
""",
    "floats": """
[{float}, {float}]
[{float}, {int} / 2, 1.5]
sorted([{float}, {float}, 1.5])
[{float|$1:float} for $1 in {floats}]
{floats}[{int}:]
[float($1) for $1 in {ints}]
sorted([{int}, 1.5, {int}])
""",
    "strs": """
[{str}, {str}]
[]
[{str}, "b", {str}]
{str}.split()
{str}.split({str!})
{str}.split(",", {int!})
{str}.splitlines()
list({str})
[*{str}]
sorted({strs})
{strs}[{int}:]
{strs} + {strs}
[{str|$1:str} for $1 in {strs}]
[{str|$1:str} for $1 in {str}]
[{str|$1:int} for $1 in {ints}]
list({sdict})
re.findall("[a-z]", {str})
re.split(",", {str})
list(map(str, {ints}))
sorted({{str}, {str}})
list({str}.partition("="))
sorted({strs}, key=len)
""",
    "pair": """
({int}, {str})
({int}, {str} if {bool} else {str})
{pair} if {bool} else {pair}
tuple([{int}, {str}])
max({pair}, ({int}, {str}))
""",
    "dict": """
{{int}: {int}}
{{int}: {int}, {int}: {int}}
{{int}: {int}, 1: {int}, 2: {int}}
{1: {int}, 2: {int}, 3: {int}}
{}
{{int|$1:int}: {int|$1:int} for $1 in {ints}}
{{int|$1:int}: {int|$1:int,$2:int} for $1, $2 in enumerate({ints})}
{**{dict}, {int}: {int}}
{dict} | {dict}
dict({dict})
dict([({int}, {int}), ({int}, {int})])
dict(zip({ints}, {ints}))
dict.fromkeys({ints}, {int})
{dict}.copy()
copy.copy({dict})
copy.deepcopy({dict})
collections.OrderedDict([({int}, {int}), (2, {int})])
collections.Counter({ints})
{len($1): 1 for $1 in {strs}}
{$2: $1 for $1, $2 in {dict}.items()}
{dict} if {bool} else {dict}
""",
    "sdict": """
{{str}: {int}}
{{str}: {int}, "a": {int}}
{"a": {int}, "b": {int}, "12": {int}}
{$1: {int|$1:str} for $1 in {strs}}
dict(a={int}, b={int})
{**{sdict}, {str}: {int}}
dict(zip({strs}, {ints}))
collections.Counter({str})
""",
    "set": """
{{int}, {int}}
{{int}, 1, 2}
{1, 2, 3}
set()
set({ints})
frozenset({ints})
{{int|$1:int} for $1 in {ints}}
{set} | {set}
{set} & {set}
{set} - {{int}, {int}}
{set} ^ {set}
{set}.union({ints})
{set}.intersection({ints})
{set}.difference({set})
set({dict})
{set}.copy()
set({dict}.keys()) & {set}
""",
    "obj": """
Item({int}, {str})
Item({int}, {str})
Item({int!}, "k")
{obj} if {bool} else {obj}
copy.copy({obj})
""",
}

STATEMENTS = """
$n = {int}
$n = {int}
$n = {float}
$n = {str}
$n = {bool}
$n = {ints}
$n = {dict}
$n = {sdict}
$n = {set}
$n = {obj}
$n = {strs}
{:int} += {int}
{:int} -= {int!}
{:int} //= {int}
{:int} %= {int}
{:int} ^= {int}
{:float} += {float}
{:float} *= {int}
{:str} += {str}
{:str} %= {int}
{:ints} += {ints}
{:ints}[{int}] = {int}
{:ints}[{int}] += {int}
{:ints}[{int!}:{int}] = {ints}
{:ints}[{int}:{int}] += [{int}]
{:dict}[{int}] = {int}
{:dict}[{int}] = {int}
{:dict}[{int}] += {int}
{:sdict}[{str}] = {int}
{:sdict}[{str}] += {int}
{:dict}[{int}, {str}] = {int}
{:dict}[({int}, {int})] = {int}
{:dict}[{float}] = {int}
{:dict}[{bool}] = {int}
del {:dict}[{int}]
del {:ints}[{int}]
del {:ints}[{int}:{int}]
del {:sdict}[{str}]
{:ints}[{int!}], {:dict}[{int}] = {int}, {int}
{:ints}[0], {:ints}[-1] = {:ints}[-1], {:ints}[0]
{:dict}[{int}] = {:int} = {int}
{:int}, {:str} = {pair}
{:int}, *{:ints} = {ints}
({:int}, {:int}), {:str} = ({int}, {int}), {str}
{:int}, {:int} = {ints}
{:str}, {:str} = {str}
{:int}, {:int} = {set}
{:ints}.append({int})
{:ints}.extend({ints})
{:ints}.insert({int}, {int})
{:ints}.remove({int})
{:ints}.sort()
{:ints}.sort(key=lambda $1: -$1)
{:ints}.reverse()
{:ints}.append({ints})
{:dict}.update({dict})
{:dict}.update({{int}: {int}})
{:dict} |= {dict}
{:dict}.pop({int})
{:dict}.popitem()
{:dict}.setdefault({int}, []).append({int})
{:dict}.clear()
{:set}.add({int})
{:set}.add(({int}, {str}))
{:set}.discard({int})
{:set}.remove({int})
{:set}.update({ints})
{:set} |= {set}
{:set} -= {set}
{:set}.pop()
{:obj}.a = {int}
{:obj}.a += {int}
{:obj}.b = {str}
{:obj}.total = {int}
{:obj}[{int}] = {int}
{:obj}.c.append({int})
assert {bool}
assert {int}, {str}
{:ints} = {:ints}
$n = {:ints}
$n = {:dict}
raise ValueError({str})
heapq.heappush({:ints}, {int})
$n = collections.defaultdict(list); $n[{int}].append({int}); {:ints}.extend($n)
$n = collections.deque({ints}, 3); $n.append({int}); {:ints}.extend($n)
$n = {({int}, {int}): {int}}; $n[{int}, {int}] = 2; {:ints}.append(len($n))
$n = {Item({int}, "q"): 1}; $n[Item({int}, "q")] = 2; {:ints}.append(len($n))
"""
