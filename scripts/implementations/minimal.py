#!/usr/bin/env python3
"""The least that is an implementation: TGATHERB by element, on any target."""

import numpy as np
import ptodiff


class Minimal(ptodiff.Implementation):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        size = call.dst.dtype.itemsize
        wide = 8 in (size, call.src.dtype.itemsize)
        if wide or call.dst.ctype.startswith(("hifloat8", "float8")) or call.src.slayout != "NoneBox":
            raise ptodiff.Unsupported("a dtype or a layout that is not here")
        if call.target == "a2a3" and call.dst.blayout != "RowMajor":
            raise ptodiff.Rejected("TGATHERB-TILE-01", "dst is not row-major")
        rows, cols = call.dst.valid_shape
        start = call.offset.array[:rows, :cols].astype(np.uint32).astype(np.int64)
        last = len(call.src.bytes) - size
        found = call.src.bytes[np.minimum(start, last)[..., None] + np.arange(size)].view(call.dst.dtype)[..., 0]
        # Behind the end of the source a value is clamped on cpu; elsewhere nothing is promised.
        call.dst.valid = found if call.target == "cpu" else np.where(start <= last, found, 0)


if __name__ == "__main__":
    Minimal().run()
