//! What is odd about how an operation is written, though it reads well.

use std::ops::Range;

use ptodiff_case::{Code, limits::MAX_DYN_UB};
use ptodiff_isa::{
    Call, Clause, Coalesce, GlobalTensor, Instruction, Operand, Role, Target, Tile, TileType,
};

use crate::reader::Found;
use crate::resolve::Constants;
use crate::scope::{Meaning, Number, Scope};
use crate::text::{Fault, Part, Read};
use crate::word;

/// What is odd about an operation.
#[derive(Default)]
pub(crate) struct Remark {
    pub(crate) rule: &'static str,
    /// Targets that it is about, if not the call as such.
    pub(crate) targets: Vec<Target>,
    /// The clause that is broken, if one is.
    pub(crate) clause: Option<Clause>,
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Adds to `remarks` what is odd about how `call`, whose operands have these names, is written.
pub(crate) fn remarks<'t>(
    found: &Found<'_, 't>,
    call: &Call,
    names: &[(Role, Part<'t>)],
    constants: Constants<'_>,
    remarks: &mut Vec<Remark>,
) {
    let written = &found.written;
    if let Some(device) = found.device {
        remarks.push(Remark {
            rule: "unknown-target",
            at: device.range(),
            message: format!(
                "of the device {} no target is known: taken for all",
                device.text
            ),
            help: Some("write `pto.target_arch`".to_owned()),
            ..Remark::default()
        });
    }
    // A gather to L1 fills its scratch before it reads it.
    let writes = |(role, _): &&(Role, Part<'_>)| *role == call.output() || *role == Role::Scratch;
    let (to, from): (Vec<&(Role, Part<'t>)>, Vec<_>) = names.iter().partition(writes);
    let mut told: Vec<&str> = Vec::new();
    for read in &from {
        let is = |out: &&(Role, Part<'t>)| overlap(found, call, read, out, constants);
        let Some((_, out)) = to.iter().copied().find(is) else {
            continue;
        };
        let (_, read) = read;
        if told.contains(&read.text) {
            continue;
        }
        told.push(read.text);
        let what = match read.text == out.text {
            true => format!("`{}` is read and written", read.text),
            false => format!("`{}` is read and overlaps `{}`", read.text, out.text),
        };
        let on_a5 = found.target.is_none_or(|target| target == Target::A5);
        let (rule, targets, clause, but) = match call {
            Call::TscatterMask(_) if on_a5 => (
                "precondition",
                vec![Target::A5],
                Some(Clause("TSCATTER-MASK-12")),
                "A5 zeroes what it writes before it reads",
            ),
            _ => (
                "same-operand",
                Vec::new(),
                Some(overlapping(call)),
                "no document says in which order",
            ),
        };
        remarks.push(Remark {
            rule,
            targets,
            clause,
            at: read.range(),
            message: format!("{what}: {but}, and ptodiff keeps the two apart"),
            help: Some("write to one of its own".to_owned()),
        });
    }
    for name in names {
        where_it_lies(found, call, name, constants, remarks);
    }
    if let Some(mode) = call.mode()
        && written.attributes.get("coalesce").is_none()
    {
        let like_data = match call
            .operand(Role::Index)
            .and_then(|idx| idx.tile().copied())
        {
            Some(idx) => {
                let data = call.data_tile();
                idx.valid_row.get() == data.valid_row.get()
                    && idx.valid_col.get() == data.valid_col.get()
            }
            None => false,
        };
        let but = match like_data {
            true => "; the index has the data's shape, which is how Elem is written",
            false => "",
        };
        let (call, other) = match mode {
            Coalesce::Row => ("the C++ call", Coalesce::Elem),
            Coalesce::Elem => ("the C++ call with a scratch", Coalesce::Row),
        };
        let word = word::of(mode);
        remarks.push(Remark {
            rule: "missing-coalesce",
            at: written.name.range(),
            message: format!(
                "no `coalesce`: taken as {mode}, the default of {call}; versions of the \
                 assembler take the mode from the index's shape, or reject it{but}"
            ),
            help: Some(format!(
                "write `coalesce = #pto<coalesce {word}>`, or `{}`",
                word::of(other)
            )),
            ..Remark::default()
        });
    }
}

/// The gap of operands that overlap.
const fn overlapping(call: &Call) -> Clause {
    Clause(match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) => "MSCATTER-GAP-58",
        Call::Mgather(_) => "MGATHER-GAP-32",
        Call::MgatherL1(_) => "MGATHERL1-GAP-08",
        Call::TscatterIndex(_) | Call::TscatterMask(_) => "TSCATTER-GAP-14",
        Call::Tgatherb(_) => "TGATHERB-GAP-12",
    })
}

/// Adds what is against where a tile lies in the unified buffer, which a case does not say: that
/// it ends behind what its target leaves of it, or that A2/A3 moves rows of it by DMA, and it is
/// not aligned for that.
fn where_it_lies<'t>(
    found: &Found<'_, 't>,
    call: &Call,
    (role, name): &(Role, Part<'t>),
    constants: Constants<'_>,
    remarks: &mut Vec<Remark>,
) {
    let (a2a3, a5, dma) = match call.instruction() {
        Instruction::Mscatter => ("MSCATTER-UB-01", "MSCATTER-UB-05", "MSCATTER-ALIGN-09"),
        Instruction::Mgather => ("MGATHER-UB-02", "MGATHER-UB-05", "MGATHER-ALIGN-11"),
        // Their documents do not say how large it is.
        Instruction::Tscatter | Instruction::Tgatherb => return,
    };
    let Some(Operand::Tile(tile)) = call.operand(*role) else {
        return;
    };
    let Some((TileType::Vec, bytes)) = lies(found.scope, *tile, *name, constants) else {
        return;
    };
    let mut add = |rule, target, clause, message| {
        if found.target.is_none_or(|of| of == target) {
            remarks.push(Remark {
                rule,
                targets: vec![target],
                clause: Some(Clause(clause)),
                at: name.range(),
                message: format!("`{}` {message}", name.text),
                ..Remark::default()
            });
        }
    };
    let sizes = [(Target::A2a3, 192 << 10, a2a3), (Target::A5, A5_BYTES, a5)];
    for (target, size, clause) in sizes {
        if bytes.end > size {
            let message = format!(
                "ends at byte {} of the unified buffer, of which tiles may take {size}",
                bytes.end
            );
            add("budget", target, clause, message);
        }
    }
    let is_moved = call.mode() == Some(Coalesce::Row) && *role != Role::Index;
    if is_moved && !bytes.start.is_multiple_of(32) {
        let message = format!(
            "begins at byte {} of the unified buffer, and a DMA of its rows at a multiple of 32",
            bytes.start
        );
        add("alignment", Target::A2a3, dma, message);
    }
}

/// What A5 leaves of its unified buffer beside a reserve and the smallest data cache.
const A5_BYTES: u64 = (256 - 8 - 32) << 10;

/// Gives `call` the dynUBufSize that the user says, or else the one that it wants, which a remark
/// tells: a text says none.
pub(crate) fn launched(
    found: &Found<'_, '_>,
    call: &mut Call,
    constants: Constants<'_>,
    remarks: &mut Vec<Remark>,
) -> Read<()> {
    let clause = match call {
        Call::Mscatter(_) => "MSCATTER-UB-07",
        Call::Mgather(_) => "MGATHER-UB-07",
        _ => return Ok(()),
    };
    if found.target.is_some_and(|of| of != Target::A5) {
        return Ok(());
    }
    let (at, mut size) = (found.written.name.range(), constants("dyn_ub"));
    if let Some(own) = size.filter(|own| *own > MAX_DYN_UB) {
        let message = format!("a dynUBufSize is at most {MAX_DYN_UB}, this is {own}");
        return Err(Fault::new(Code::OutOfLimits, at, message));
    }
    if size.is_none()
        && let Some(wanted) = wanted(call)
    {
        size = Some(wanted);
        remarks.push(Remark {
            rule: "unknown-launch",
            targets: vec![Target::A5],
            clause: Some(Clause(clause)),
            at,
            message: format!(
                "the launch has to pass a dynUBufSize of at least {wanted}, which the text \
                 cannot say: taken as passed"
            ),
            help: Some("--set dyn_ub=N".to_owned()),
        });
    }
    if let Some(launch) = call.launch_mut() {
        launch.dyn_ub_bytes = size;
    }
    Ok(())
}

/// The least dynUBufSize with which A5 has the room for the tiles, where it has not without one.
pub(crate) fn wanted(call: &Call) -> Option<u64> {
    const WITHOUT: u64 = 128 << 10;
    let operands = call.operands().into_iter();
    let tiles = operands.filter_map(|(_, operand)| operand.tile().copied());
    let all = tiles.map(|tile| bytes_of(&tile).next_multiple_of(32)).sum();
    let wants = matches!(call, Call::Mscatter(_) | Call::Mgather(_));
    (wants && all > WITHOUT && all <= A5_BYTES).then_some(all)
}

/// The bytes of a tile, its padding included.
const fn bytes_of(tile: &Tile) -> u64 {
    tile.rows * tile.cols * tile.dtype.size() as u64
}

/// Whether two operands have the same name, or a part of memory that both lie in.
fn overlap<'t>(
    found: &Found<'_, 't>,
    call: &Call,
    (role, one): &(Role, Part<'t>),
    (other_role, other): &(Role, Part<'t>),
    constants: Constants<'_>,
) -> bool {
    let scope = found.scope;
    let both = match (call.operand(*role), call.operand(*other_role)) {
        _ if one.text == other.text => return true,
        (Some(Operand::Tile(a)), Some(Operand::Tile(b))) => lies(scope, *a, *one, constants)
            .zip(lies(scope, *b, *other, constants))
            .map(|((one, a), (other, b))| one == other && a.start < b.end && b.start < a.end),
        (Some(Operand::Tensor(a)), Some(Operand::Tensor(b))) => {
            Region::of(scope, *one, *a, constants)
                .zip(Region::of(scope, *other, *b, constants))
                .map(|(one, other)| one.overlaps(&other))
        }
        _ => None,
    };
    both.unwrap_or(false)
}

/// In which memory the tile `name` lies, and in which bytes of it, as far as that is known.
fn lies(
    scope: &Scope<'_>,
    tile: Tile,
    name: Part<'_>,
    constants: Constants<'_>,
) -> Option<(TileType, Range<u64>)> {
    let Meaning::Tile { at: Some(at), .. } = scope.get(name.text)?.means else {
        return None;
    };
    let Number::Known(at) = given(at, constants) else {
        return None;
    };
    Some((tile.location, at..at.checked_add(bytes_of(&tile))?))
}

/// A number that the source does not give may be given by its name.
fn given<'t>(number: Number<'t>, constants: Constants<'_>) -> Number<'t> {
    match number {
        Number::Of(name) => {
            constants(name.text.trim_start_matches('%')).map_or(number, Number::Known)
        }
        Number::Known(_) => number,
    }
}

/// What of a pointer or an argument a view is.
struct Region<'t> {
    of: &'t str,
    from: [Number<'t>; 5],
    tensor: GlobalTensor,
}

impl<'t> Region<'t> {
    /// That of the view `name`, as far as it is known.
    fn of(
        scope: &Scope<'t>,
        name: Part<'t>,
        tensor: GlobalTensor,
        constants: Constants<'_>,
    ) -> Option<Self> {
        let mut from = [Number::Known(0); 5];
        let of = match scope.get(name.text).map(|value| &value.means) {
            Some(Meaning::View(shape)) => {
                let (of, own) = shape.from.as_ref()?;
                let first = from.len().checked_sub(own.len())?;
                for (from, own) in from[first..].iter_mut().zip(own) {
                    *from = given(*own, constants);
                }
                of
            }
            _ => name.text,
        };
        Some(Self { of, from, tensor })
    }

    /// Whether both have an element. With other strides it is only looked at where both begin.
    fn overlaps(&self, other: &Self) -> bool {
        if self.of != other.of {
            return false;
        }
        let axes = |axis: usize| {
            let begins = (self.from[axis], other.from[axis]);
            let extents = [self, other].map(|one| one.tensor.shape[axis].get());
            let strides = [self, other].map(|one| one.tensor.stride[axis].get());
            // Where there is one element, its stride says nothing.
            let alike = strides[0] == strides[1] || extents == [1, 1];
            let (at_one, meet) = match begins {
                (Number::Known(a), Number::Known(b)) => {
                    let before = |a: u64, b: u64, extent: u64| a < b.saturating_add(extent);
                    (a == b, before(a, b, extents[1]) && before(b, a, extents[0]))
                }
                (Number::Of(a), Number::Of(b)) => (a.text == b.text, a.text == b.text),
                _ => (false, false),
            };
            (alike, at_one, meet)
        };
        let axes: Vec<_> = (0..self.from.len()).map(axes).collect();
        match axes.iter().all(|(alike, ..)| *alike) {
            true => axes.iter().all(|(.., meet)| *meet),
            false => axes.iter().all(|(_, at_one, _)| *at_one),
        }
    }
}
