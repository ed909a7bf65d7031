"""One call from its frame to its answer."""

import numpy as np
from ptodiff.sparse import Sparse, packed

from . import checks, mgather, mgather_l1, mscatter, tgatherb, tscatter
from .memory import Region
from .readings import Unfollowed, in_force
from .words import BadCall, Call

RUN = {
    "mscatter": mscatter.run,
    "mscatter-first": mscatter.run_first,
    "mgather": mgather.run,
    "mgather-l1": mgather_l1.run,
    "tscatter-index": tscatter.run_index,
    "tscatter-mask": tscatter.run_mask,
    "tgatherb": tgatherb.run,
}


class Job:
    """What an instruction works on: the call, its regions by role, and how it is to run."""

    def __init__(self, target, call, regions, readings, schedule):
        self.target = target
        self.call = call
        self.regions = regions
        self.readings = readings
        self.schedule = schedule

    def lanes(self, count):
        """The order in which `count` concurrent lanes take effect; None is the order they stand in."""
        order = self.schedule.get("order")
        if order == "reversed":
            return np.arange(count - 1, -1, -1)
        if order == "shuffled":
            return np.random.default_rng(self.schedule.get("seed")).permutation(count)
        return None


def answer(target, frame, payload):
    """The answer to a call frame, as a header and the regions that follow it.

    `payload` (a bytearray) is changed in place.
    """
    try:
        readings = in_force(frame.get("readings"))
        call = Call(frame.get("call"))
        regions = split(frame, payload)
        missing = call.roles.difference(regions)
        if missing:
            raise BadCall(f"no region for {', '.join(sorted(missing))}")
        schedule = order(frame.get("schedule"))
    except (BadCall, Unfollowed) as reason:
        return {"kind": "unsupported", "why": str(reason)}, []
    rejected = checks.rejection(call, target, readings)
    if rejected is not None:
        clause, why = rejected
        return {"kind": "rejected", "why": why, **({"clause": clause} if clause else {})}, []
    if hangs(target, call):
        return {"kind": "hangs"}, []
    changed = RUN[call.form](Job(target, call, regions, readings, schedule))
    changed = [role for role in changed if role in regions]
    listed, parts = [], []
    for role in changed:
        region, entry = regions[role], {"role": role, "bytes": len(regions[role].raw)}
        if region.sparse is not None:
            differing = region.sparse.changed()
            entry["parts"] = len(differing)
            parts.append(packed(differing))
        else:
            parts.append(region.raw)
        listed.append(entry)
    return {"kind": "done", "regions": listed, "bytes": sum(map(len, parts))}, parts


def hangs(target, call):
    """Whether the call launches a SIMT kernel that a direct dispatch never lets return."""
    if target != "a5" or not getattr(call, "direct", False):
        return False
    if call.form == "mscatter":
        return not (call.mode == "Elem" and call.src.valid == (1, 1))
    if call.form == "mgather":
        return not (call.mode == "Elem" and call.dst.valid == (1, 1))
    if call.form == "mgather-l1":
        return call.exec == "Simt"
    return call.form == "mscatter-first"


def order(schedule):
    """The schedule of a frame; anything that is none counts as in order."""
    if type(schedule) is not dict:
        return {}
    seed = schedule.get("seed", 0)
    return {"order": schedule.get("order"), "seed": seed if type(seed) is int and seed >= 0 else 0}


def split(frame, payload):
    """The regions of a call by role, as views of the payload."""
    listed = frame.get("regions")
    if type(listed) is not list:
        raise BadCall("regions are no list")
    whole = np.frombuffer(payload, np.uint8)
    regions, at = {}, 0
    for entry in listed:
        if type(entry) is not dict:
            raise BadCall("a region is no object")
        role, count, body = entry.get("role"), entry.get("bytes"), entry.get("body")
        if type(role) is not str or role in regions or type(count) is not int or count < 0:
            raise BadCall("a region without a role of its own or a size")
        if type(body) is not list or len(body) != 2:
            raise BadCall(f"the body of {role:.60} is no offset and length")
        start, length = body
        if type(start) is not int or type(length) is not int or start < 0 or length < 0:
            raise BadCall(f"the body of {role:.60} is no offset and length")
        if "parts" in entry:
            if type(entry["parts"]) is not int or start + length > count:
                raise BadCall(f"the body of {role:.60} leaves its region, or its parts are no number")
            try:
                sparse, at = Sparse.take(entry, payload, at)
            except (OSError, ValueError) as why:
                raise BadCall(f"no room for {role:.60}: {why}") from None
            regions[role] = Region(sparse.raw, start, length, sparse)
            continue
        if start + length > count or at + count > len(whole):
            raise BadCall(f"the body of {role:.60} leaves its region, or the region the payload")
        regions[role] = Region(whole[at : at + count], start, length)
        at += count
    return regions
