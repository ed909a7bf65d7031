"""The words of a call: element types, tiles, tensors, and how frames spell them."""

from typing import NamedTuple

# Larger operands are turned down before they cost memory.
MOST_ELEMENTS = 1 << 26
MOST_STRIDE = 1 << 40


class BadCall(Exception):
    """A call that makes no sense, or is larger than this implementation goes."""


class DType(NamedTuple):
    """An element type: its name, bytes, and kind ('i' signed, 'u' unsigned, 'f' float)."""

    name: str
    size: int
    kind: str


DTYPES = {
    d.name: d
    for d in (
        DType("int8_t", 1, "i"), DType("uint8_t", 1, "u"),
        DType("int16_t", 2, "i"), DType("uint16_t", 2, "u"),
        DType("int32_t", 4, "i"), DType("uint32_t", 4, "u"),
        DType("int64_t", 8, "i"), DType("uint64_t", 8, "u"),
        DType("half", 2, "f"), DType("bfloat16_t", 2, "f"), DType("float", 4, "f"),
        DType("hifloat8_t", 1, "f"), DType("float8_e4m3_t", 1, "f"), DType("float8_e5m2_t", 1, "f"),
    )
}  # fmt: skip


class Tile(NamedTuple):
    """A padded two-dimensional operand on chip; `dynamic` marks the run-time valid extents."""

    location: str
    dtype: DType
    rows: int
    cols: int
    valid: tuple
    dynamic: tuple
    blayout: str
    slayout: str
    fractal: int

    @property
    def known(self):
        """Valid rows and columns as a static check sees them: None where it sees none."""
        return tuple(None if d else v for v, d in zip(self.valid, self.dynamic))

    @property
    def row_major(self):
        """Whether it is ND: rows one after the other, no boxes."""
        return self.blayout == "RowMajor" and self.slayout == "NoneBox"

    @property
    def nz(self):
        """Whether it is NZ: columns of boxes of 512 bytes, rows inside a box."""
        return self.blayout == "ColMajor" and self.slayout == "RowMajor" and self.fractal == 512

    @property
    def block(self):
        """Elements in 32 bytes: the width of an NZ block column."""
        return 32 // self.dtype.size


class Tensor(NamedTuple):
    """A five-dimensional operand in GM; strides count elements."""

    dtype: DType
    shape: tuple
    dynamic: tuple
    stride: tuple
    layout: str

    @property
    def known(self):
        """The shape as a static check sees it: None where it sees nothing."""
        return tuple(None if d else v for v, d in zip(self.shape, self.dynamic))

    @property
    def elements(self):
        """The product of the shape."""
        return product(self.shape)


class Call:
    """One call: its form, operands by name, and template arguments, None where it has none."""

    def __init__(self, words):
        if type(words) is not dict:
            raise BadCall("call is no object")
        self.form = one_of(words, "form", FORMS)
        operands, arguments = FORMS[self.form]
        # The roles of the operands that there are.
        self.roles = set()
        for name, (role, make) in operands.items():
            operand = words.get(name)
            if name == "scratch" and operand is None:
                self.scratch = None
                continue
            if type(operand) is not dict:
                raise BadCall(f"{self.form} without {name}")
            setattr(self, name, make(operand))
            self.roles.add(role)
        for name, allowed in arguments.items():
            setattr(self, name, one_of(words, name, allowed))
        launch = words.get("launch")
        self.direct = type(launch) is dict and launch.get("dispatch") == "direct"


def product(numbers):
    """The product of some integers."""
    result = 1
    for n in numbers:
        result *= n
    return result


def one_of(words, key, allowed):
    """The word under `key`, which must be one of `allowed`."""
    word = words.get(key)
    if type(word) is not str or word not in allowed:
        raise BadCall(f"{key} is {word!r:.60}, not one of {', '.join(allowed)}")
    return word


def numbers(words, key, count, most):
    """`count` integers from 0 to `most` under `key`."""
    found = words.get(key)
    if type(found) is not list or len(found) != count:
        raise BadCall(f"{key} has not {count} numbers")
    for n in found:
        if type(n) is not int or not 0 <= n <= most:
            raise BadCall(f"{key} has {n!r:.60}, not a number from 0 to {most}")
    return tuple(found)


def flags(words, key, count):
    """`count` booleans under `key`; none at all means false."""
    found = words.get(key, [False] * count)
    if type(found) is not list or len(found) != count:
        raise BadCall(f"{key} has not {count} booleans")
    for flag in found:
        if type(flag) is not bool:
            raise BadCall(f"{key} has {flag!r:.60}, not a boolean")
    return tuple(found)


def size(words, key, standard=None):
    """A number from 1 to the most elements under `key`; `standard` where there is none."""
    found = words.get(key, standard)
    if type(found) is not int or not 1 <= found <= MOST_ELEMENTS:
        raise BadCall(f"{key} is {found!r:.60}, not a number from 1 to {MOST_ELEMENTS}")
    return found


def tile(words):
    """A tile as the protocol spells it."""
    rows, cols = size(words, "rows"), size(words, "cols")
    valid = numbers(words, "valid", 2, MOST_ELEMENTS)
    if rows * cols > MOST_ELEMENTS or valid[0] * valid[1] > MOST_ELEMENTS:
        raise BadCall("a tile of more than 2^26 elements")
    return Tile(
        one_of(words, "location", ("Vec", "Mat")),
        DTYPES[one_of(words, "dtype", DTYPES)],
        rows,
        cols,
        valid,
        flags(words, "valid_dynamic", 2),
        one_of(words, "blayout", ("RowMajor", "ColMajor")),
        one_of(words, "slayout", ("NoneBox", "RowMajor", "ColMajor")),
        size(words, "fractal", 512),
    )


def tensor(words):
    """A tensor as the protocol spells it."""
    return Tensor(
        DTYPES[one_of(words, "dtype", DTYPES)],
        numbers(words, "shape", 5, 1 << 40),
        flags(words, "shape_dynamic", 5),
        numbers(words, "stride", 5, MOST_STRIDE),
        one_of(words, "layout", ("ND", "DN", "NZ")),
    )


_MODE = ("Row", "Elem")
_ATOMIC = ("None", "Add", "Max", "Min")
_SCATTER = ("Undefined", "Skip", "Clamp", "Wrap")
_GATHER = ("Undefined", "Clamp", "Wrap", "Zero")
PATTERNS = {
    # the expansion factor and the lane that is selected
    "P0101": (2, 0), "P1010": (2, 1),
    "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3),
    "P1111": (1, 0),
}  # fmt: skip

_SCATTERED = {"table": ("table", tensor), "src": ("source", tile), "idx": ("index", tile)}
FORMS = {
    "mscatter": (
        _SCATTERED,
        {"mode": _MODE, "atomic": _ATOMIC, "oob": _SCATTER, "conflict": ("Default", "Last")},
    ),
    "mscatter-first": (_SCATTERED, {"atomic": _ATOMIC, "oob": _SCATTER}),
    "mgather": (
        {"dst": ("destination", tile), "table": ("table", tensor), "idx": ("index", tile)},
        {"mode": _MODE, "oob": _GATHER},
    ),
    "mgather-l1": (
        {
            "dst": ("destination", tile),
            "table": ("table", tensor),
            "idx": ("index", tensor),
            "scratch": ("scratch", tensor),
        },
        {"mode": _MODE, "oob": _GATHER, "exec": ("Scalar", "Simt")},
    ),
    "tscatter-index": (
        {"dst": ("destination", tile), "src": ("source", tile), "idx": ("index", tile)},
        {},
    ),
    "tscatter-mask": (
        {"dst": ("destination", tile), "src": ("source", tile)},
        {"pattern": tuple(PATTERNS), "axis": ("Row", "Col")},
    ),
    "tgatherb": (
        {"dst": ("destination", tile), "src": ("source", tile), "offset": ("index", tile)},
        {},
    ),
}
