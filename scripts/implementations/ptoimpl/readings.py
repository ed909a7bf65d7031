"""The gaps of the documents that are parameters, and the answers that this implementation follows.

The first answer of each is the default. It follows all that are listed.
"""

FOLLOWED = {
    "cpu-form": ("documented", "templated"),
    "negative-index": ("unsigned", "signed", "intended"),
    "nz-elem-order": ("walk", "coordinate"),
    "add-overflow": ("wrap", "saturate", "mte3-saturates"),
    "row-add-order": ("in-order", "any"),
    "max-min-nan": ("anything", "ignored", "passed-on", "by-bits"),
    "max-min-zero": ("either", "ordered"),
    "subnormals": ("kept", "flushed"),
    "last-by": ("logical", "storage"),
    "padded-elem": ("flat", "strided", "precondition"),
    "burst-tail": ("exact", "rounded", "precondition"),
    "nz-row-columns": ("either", "moved", "kept", "precondition"),
    "row-capacity": ("by-target", "precondition"),
    "outer-strides": ("precondition", "ignored", "split"),
    "narrow-row": ("partial", "precondition"),
    "width-check": ("row", "both"),
    "row-pitch": ("precondition", "valid-cols"),
    "row-index-pitch": ("precondition", "logical", "rejected"),
    "empty-extent": ("precondition", "no-op"),
    "undefined-last": ("precondition", "dropped"),
    "undefined-gather": ("call", "slots"),
    "gather-padding": ("burst-tail", "kept", "undefined"),
    "nd-zero-fill": ("inline", "whole-tile"),
    "cpu-padded-table": ("precondition", "strided"),
    "cpu-row-check": ("rejected", "precondition"),
    "cpu-row-index": ("own-layout", "precondition"),
    "cpu-table-type": ("bytes", "precondition"),
    "index-unit": ("element", "byte"),
    "nz-dynamic": ("precondition", "rejected"),
    "scope": ("documented", "as-the-suite"),
    "l1-row-padding": ("tail-zero", "kept", "undefined"),
    "l1-scratch-zero": ("always", "zero-only"),
    "l1-index-pitch": ("linear", "strided"),
    "tscatter-extent": ("source", "index"),
    "tscatter-index": ("flat", "row"),
    "tscatter-negative-index": ("unsigned", "signed", "intended"),
    "tscatter-unaddressed": ("kept", "zero", "undefined"),
    "tscatter-range": ("storage", "valid"),
    "mask-p1111-padding": ("zero", "kept"),
    "tgatherb-granularity": ("element", "block"),
    "tgatherb-unaligned": ("byte-exact", "rounded-down", "undefined"),
    "tgatherb-boundary": ("allocation", "valid"),
    "first-mode": ("row", "elem"),
    "first-conflict": ("any", "last"),
    "first-row-capacity": ("rows", "elements"),
}
DEFAULTS = {name: answers[0] for name, answers in FOLLOWED.items()}


class Unfollowed(Exception):
    """A reading is asked for that this implementation does not follow."""


def in_force(asked):
    """All readings with those `asked` for in place of the defaults."""
    if not asked:
        return DEFAULTS
    if type(asked) is not dict:
        raise Unfollowed("readings are no object")
    for name, answer in asked.items():
        if answer not in FOLLOWED.get(name, ()):
            raise Unfollowed(f"reading {name}={answer!r:.60}")
    return {**DEFAULTS, **asked}
