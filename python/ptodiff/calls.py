"""The calls that an implementation is asked, one class for each form."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from .operands import Operand, Region, Tensor, Tile


class Launch(NamedTuple):
    """How a kernel is launched (A5)."""

    #: Bytes of dynamic UB, None if the launch gives none.
    dyn_ub_bytes: Optional[int]
    #: `standard` or `direct`.
    dispatch: str
    #: `appended` or `missing`.
    flush: str


class Schedule(NamedTuple):
    """In which order concurrent lanes are wished to take effect: ignore it if you cannot choose."""

    #: `in-order`, `reversed` or `shuffled`.
    order: str
    #: The seed of a shuffle, otherwise 0.
    seed: int


class Call:
    """What all calls have. The operands are attributes of each form's own class."""

    #: The attribute, the role of its region and the kind of each operand.
    _operands: tuple[tuple[str, str, type[Operand]], ...] = ()
    #: The roles of what the call writes.
    _outputs: tuple[str, ...] = ()

    def __init__(self, target: str, frame: dict[str, Any], regions: dict[str, Region]) -> None:
        words = frame["call"]
        #: The target whose contract is applied: `cpu`, `a2a3` or `a5`.
        self.target: str = target
        #: `MSCATTER`, `MGATHER`, `TSCATTER` or `TGATHERB`.
        self.instruction: str = words["instruction"]
        #: The form as the protocol names it, as in `tscatter-mask`.
        self.form: str = words["form"]
        #: Gaps that are not read by their default, and their choices.
        self.readings: dict[str, str] = frame.get("readings") or {}
        wish = frame.get("schedule") or {}
        self.schedule: Schedule = Schedule(wish.get("order", "in-order"), wish.get("seed", 0))
        launch = words.get("launch") or {}
        self.launch: Launch = Launch(
            launch.get("dyn_ub_bytes"), launch.get("dispatch", "standard"), launch.get("flush", "appended")
        )
        #: Accesses outside of operands that you noticed: count them up here if you look.
        self.out_of_bounds: int = 0
        #: The call as the protocol spells it: a key for kernels that you built.
        self.words: dict[str, Any] = words
        for name, role, kind in self._operands:
            there = words.get(name) is not None
            setattr(self, name, kind(words[name], regions[role]) if there else None)


class Mscatter(Call):
    """MSCATTER: `table[idx] = src`, by row or by element."""

    _operands = (("table", "table", Tensor), ("src", "source", Tile), ("idx", "index", Tile))
    _outputs = ("table",)

    #: In GM; written.
    table: Tensor
    src: Tile
    idx: Tile

    @property
    def mode(self) -> str:
        """`Row` or `Elem`."""
        return str(self.words["mode"])

    @property
    def atomic(self) -> str:
        """`None`, `Add`, `Max` or `Min`."""
        return str(self.words["atomic"])

    @property
    def oob(self) -> str:
        """What becomes of an index out of bounds: `Undefined`, `Skip`, `Clamp` or `Wrap`."""
        return str(self.words["oob"])

    @property
    def conflict(self) -> str:
        """Who stays where several lanes write: `Default` or `Last`."""
        return str(self.words["conflict"])


class MscatterFirst(Call):
    """MSCATTER of the first revision (A5 only)."""

    _operands = Mscatter._operands
    _outputs = ("table",)

    #: In GM; written.
    table: Tensor
    src: Tile
    idx: Tile

    @property
    def atomic(self) -> str:
        """`None`, `Add`, `Max` or `Min`."""
        return str(self.words["atomic"])

    @property
    def oob(self) -> str:
        """What becomes of an index out of bounds: `Undefined`, `Skip`, `Clamp` or `Wrap`."""
        return str(self.words["oob"])


class Mgather(Call):
    """MGATHER to UB: `dst = table[idx]`, by row or by element."""

    _operands = (("dst", "destination", Tile), ("table", "table", Tensor), ("idx", "index", Tile))
    _outputs = ("destination",)

    #: Written.
    dst: Tile
    #: In GM.
    table: Tensor
    idx: Tile

    @property
    def mode(self) -> str:
        """`Row` or `Elem`."""
        return str(self.words["mode"])

    @property
    def oob(self) -> str:
        """What becomes of an index out of bounds: `Undefined`, `Clamp`, `Wrap` or `Zero`."""
        return str(self.words["oob"])


class MgatherL1(Call):
    """MGATHER to L1: `dst` is a Mat tile and the indices stand in GM."""

    _operands = (
        ("dst", "destination", Tile),
        ("table", "table", Tensor),
        ("idx", "index", Tensor),
        ("scratch", "scratch", Tensor),
    )
    _outputs = ("destination", "scratch")

    #: Written.
    dst: Tile
    #: In GM.
    table: Tensor
    #: In GM.
    idx: Tensor
    #: In GM; None where the call has none.
    scratch: Optional[Tensor]

    @property
    def mode(self) -> str:
        """`Row` or `Elem`."""
        return str(self.words["mode"])

    @property
    def oob(self) -> str:
        """What becomes of an index out of bounds: `Undefined`, `Clamp`, `Wrap` or `Zero`."""
        return str(self.words["oob"])

    @property
    def exec(self) -> str:
        """`Scalar` or `Simt`."""
        return str(self.words["exec"])


class Tscatter(Call):
    """TSCATTER by index: `dst[idx] = src`."""

    _operands = (("dst", "destination", Tile), ("src", "source", Tile), ("idx", "index", Tile))
    _outputs = ("destination",)

    #: Written.
    dst: Tile
    src: Tile
    idx: Tile


class TscatterMask(Call):
    """TSCATTER by mask: one lane of each group of `dst` takes an element of `src`."""

    _operands = (("dst", "destination", Tile), ("src", "source", Tile))
    _outputs = ("destination",)

    #: Written.
    dst: Tile
    src: Tile

    @property
    def pattern(self) -> str:
        """`P0101` to `P1111`."""
        return str(self.words["pattern"])

    @property
    def axis(self) -> str:
        """`Row` or `Col`."""
        return str(self.words["axis"])


class Tgatherb(Call):
    """TGATHERB: `dst` is what stands `offset` bytes behind the start of `src`."""

    _operands = (("dst", "destination", Tile), ("src", "source", Tile), ("offset", "index", Tile))
    _outputs = ("destination",)

    #: Written.
    dst: Tile
    src: Tile
    #: Byte offsets.
    offset: Tile


#: The class and the method of `Implementation` for each form of the protocol.
FORMS: dict[str, tuple[type[Call], str]] = {
    "mscatter": (Mscatter, "mscatter"),
    "mscatter-first": (MscatterFirst, "mscatter_first"),
    "mgather": (Mgather, "mgather"),
    "mgather-l1": (MgatherL1, "mgather_l1"),
    "tscatter-index": (Tscatter, "tscatter"),
    "tscatter-mask": (TscatterMask, "tscatter_mask"),
    "tgatherb": (Tgatherb, "tgatherb"),
}
