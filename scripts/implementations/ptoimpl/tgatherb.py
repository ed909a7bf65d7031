"""TGATHERB: document 004."""

import numpy as np

from .layouts import places
from .memory import UNSIGNED


def run(job):
    """dst[i, j] is what stands offset[i, j] bytes behind the source's start; gives the changed roles."""
    call = job.call
    rows, cols = call.dst.valid
    if rows == 0 or cols == 0:
        return ("destination",)
    size = call.dst.dtype.size
    if job.readings["tgatherb-granularity"] == "element":
        unit, per = size, 1
    else:
        unit, per = 32, 32 // size
    blocks = -(-cols // per)
    at = places(call.offset, rows, blocks).ravel()
    offsets = job.regions["index"].read(call.offset.dtype.size, at).astype(np.int64) & 0xFFFFFFFF
    if job.readings["tgatherb-unaligned"] == "rounded-down":
        offsets -= offsets % unit
    if job.target == "cpu":
        offsets = np.minimum(offsets, max(end(job) - unit, 0))
    width = unit if per > 1 else size
    loaded = job.regions["source"].read(1, (offsets[:, None] + np.arange(width, dtype=np.int64)).ravel())
    bits = loaded.view(UNSIGNED[size]).reshape(rows, blocks * per)[:, :cols]
    job.regions["destination"].write(size, places(call.dst, rows, cols).ravel(), bits.ravel())
    return ("destination",)


def end(job):
    """Bytes of the source up to the boundary that CPU clamps to."""
    tile = job.call.src
    if job.readings["tgatherb-boundary"] == "allocation":
        return tile.rows * tile.cols * tile.dtype.size
    rows, cols = tile.valid
    if rows == 0 or cols == 0:
        return 0
    return (int(places(tile, rows, cols).max()) + 1) * tile.dtype.size
