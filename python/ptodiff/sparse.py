"""Sparse regions: far larger than memory, and zero but for the parts that are sent."""

from __future__ import annotations

import mmap
import os
import struct
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Whether this system has memory of which only what is touched takes room.
AVAILABLE = sys.platform == "linux" and hasattr(os, "memfd_create")
_PAGE = 4096


class Sparse:
    """A region of `size` bytes, all zero but for what is put there."""

    def __init__(self, size: int) -> None:
        # A file with holes, on no disk, says afterwards where it has none.
        self._file = os.memfd_create("ptodiff")
        try:
            os.ftruncate(self._file, size)
            self._map = mmap.mmap(self._file, size)
        except BaseException:
            os.close(self._file)
            raise
        #: All bytes, guard zones included: a writable view.
        self.raw: NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)
        self._asked: dict[int, bytes] = {}

    def __del__(self) -> None:
        if hasattr(self, "_map"):
            os.close(self._file)

    @classmethod
    def take(cls, entry: dict[str, Any], payload: bytearray, at: int) -> tuple[Sparse, int]:
        """The region that a frame lists as `entry`, whose parts stand at byte `at` of its payload, and their end.

        Raises ValueError where they make no sense, OSError where there is no room.
        """
        count, size = entry["parts"], entry["bytes"]
        if count < 0 or at + 16 * count > len(payload):
            raise ValueError("more parts of a region than came")
        places = struct.unpack_from(f"<{2 * count}Q", payload, at)
        at += 16 * count
        region = cls(size)
        for start, length in zip(places[::2], places[1::2]):
            if start + length > size or at + length > len(payload):
                raise ValueError("a part that leaves its region, or the payload")
            region.raw[start : start + length] = np.frombuffer(payload, np.uint8, length, at)
            at += length
        region._asked = region._pages()
        return region, at

    def changed(self) -> list[tuple[int, bytes]]:
        """What differs from what was taken: where, and the bytes that stand there now."""
        now = self._pages()
        zeros = bytes(_PAGE)
        both = sorted(self._asked.keys() | now.keys())
        pages = ((start, self._asked.get(start, zeros), now.get(start)) for start in both)
        size = len(self.raw)
        return [
            (start, new if new is not None else bytes(min(_PAGE, size - start)))
            for start, old, new in pages
            if new != old
        ]

    def _pages(self) -> dict[int, bytes]:
        """The pages that are not all zero, by where they begin."""
        pages, at, size = {}, 0, len(self.raw)
        while at < size:
            try:
                at = os.lseek(self._file, at, os.SEEK_DATA)
            except OSError:
                # Nothing but a hole is left.
                break
            end = os.lseek(self._file, at, os.SEEK_HOLE)
            for start in range(at - at % _PAGE, end, _PAGE):
                page = self.raw[start : start + _PAGE]
                if page.any():
                    pages[start] = page.tobytes()
            at = end
        return pages


def packed(parts: list[tuple[int, bytes]]) -> bytes:
    """Parts as they go over the wire: all places, then all bytes."""
    places = (number for start, part in parts for number in (start, len(part)))
    return struct.pack(f"<{2 * len(parts)}Q", *places) + b"".join(part for _, part in parts)
