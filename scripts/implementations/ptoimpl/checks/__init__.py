"""What each target's own static checks reject, and no more.

A check speaks as (clause, why). A dimension known at run time only is None to
a check, and a rule that it could still satisfy does not fire. Preconditions of the
caller that no check sees are not here.
"""

from . import a2a3, a5, cpu

_TARGETS = {"cpu": cpu.CHECKS, "a2a3": a2a3.CHECKS, "a5": a5.CHECKS}


def rejection(call, target, readings):
    """The first check that rejects the call, as (clause or None, why), or None."""
    return next(_TARGETS[target][call.form](call, readings), None)
