//! From a call and its operands to permits.

use ptodiff_isa::{Call, Clause, Memory, Operand, Readings, Role, Target};

use crate::{
    byte_gather,
    first::restated,
    gather::{self, by_mode},
    l1,
    launch::{hangs, unflushed},
    legality::{Verbosity, legality_with},
    mask,
    meaning::Meaning,
    operands::Steps,
    permit::{OperandPermits, Permits, Run},
    runs::{Runs, Why},
    scatter, tile_scatter,
    written::{Said, Scratch, Written},
};

/// What may stand in every slot after running the call once for each of
/// `steps`, in order.
///
/// Table and staging area persist from step to step: their content before is
/// that of the first step, in later ones they may be absent. All else is loaded
/// anew for each step; permits speak of what the last one has. The operands answered
/// for are those of the first step, in its order.
///
/// Nothing is promised of a call that breaks a constraint of [`crate::legality()`], that
/// [`hangs`], that scatters by an index above capacity under Undefined or to
/// a row past the table's end, or that has an index between two elements: the written operands and their guard zones are then open by the clause concerned.
///
/// None where there is no step, or an operand is missing, shorter than its descriptor says
/// or larger than can be counted: of more than 2^32 - 1 elements over all steps, say.
#[must_use]
pub fn permits(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Option<Permits> {
    let broken = legality_with(call, target, readings, Verbosity::Brief);
    let impediment = match broken.first() {
        Some(broken) => Some(broken.clause),
        None => hangs(call, target, readings),
    };
    permits_unless(impediment, call, steps, target, readings)
}

/// The permits of a call, none of which hold if a clause takes its promises away.
pub(crate) fn permits_unless(
    impediment: Option<Clause>,
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Option<Permits> {
    let output = call.output();
    // For a region of no operand any type will do.
    let dtype = |role| {
        let operand = call.operand(role);
        operand.map_or(call.data_tile().dtype, Operand::dtype)
    };
    let operands = Steps::of(steps, target, readings)?;
    let before = match output {
        Role::Table => operands.lasting(output, 0)?,
        _ => operands.loaded(output, 0)?,
    };
    let len = before.len() - before.len() % dtype(output).size();
    let mut runs = Runs::default();
    let written = match impediment {
        Some(clause) => Written::nothing_promised(&mut runs, len, clause),
        None => promised(call, &operands, len, &mut runs)?,
    };
    let (mut runs, pool) = runs.finish();
    unflushed(call, target, steps, readings, &mut runs);
    let mut permits = Permits {
        operands: Vec::new(),
        pool,
        oob_accesses: written.oob_accesses,
    };
    for region in steps.iter().take(1).flat_map(|first| &first.regions) {
        let role = region.role;
        let may_be_written = role == output || role == Role::Scratch;
        let untouched = written.untouched.filter(|_| role == output);
        let around = untouched.unwrap_or_else(|| around(call, role, target, readings));
        permits.operands.push(OperandPermits {
            role,
            dtype: dtype(role),
            runs: if role == Role::Scratch {
                let len = region.body().len();
                scratch(written.scratch, &runs, len - len % dtype(role).size())
            } else {
                Vec::new()
            },
            kept: untouched
                .or_else(|| kept(call, role, target))
                .unwrap_or(around),
            around,
            guards_free: written.guards_free.filter(|_| may_be_written),
        });
    }
    if let Some(operand) = permits.operands.iter_mut().find(|o| o.role == output) {
        operand.runs = runs;
    }
    Some(permits)
}

/// Fills `runs` for the output of `len` bytes, and says the rest.
fn promised(call: &Call, steps: &Steps<'_>, len: usize, runs: &mut Runs) -> Said {
    match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) => {
            match Meaning::of(call, steps.target, steps.readings) {
                Some(meaning) => scatter::permits(&meaning, steps, runs),
                None => Some(Written::default()),
            }
        }
        Call::Mgather(c) => Some(gathered(gather::permits(c, steps, runs)?, runs, len)),
        Call::MgatherL1(c) => Some(gathered(l1::permits(c, steps, runs)?, runs, len)),
        Call::TscatterIndex(c) => tile_scatter::permits(c, steps, runs),
        Call::TscatterMask(c) => mask::permits(c, steps, runs),
        Call::Tgatherb(c) => byte_gather::permits(c, steps, runs),
    }
}

/// What a gather promises about `len` bytes: one that keeps its preconditions leaves the guard
/// zones alone.
fn gathered(written: Written, runs: &mut Runs, len: usize) -> Written {
    match written.guards_free {
        Some(clause) => Written::nothing_promised(runs, len, clause),
        None => written,
    }
}

/// The runs of a staging area of `len` bytes in whole slots.
fn scratch(scratch: Scratch, output: &[Run], len: usize) -> Vec<Run> {
    match scratch {
        Scratch::Kept => Vec::new(),
        Scratch::Image => {
            let mut runs = output.to_vec();
            // What is said of the tile alone holds there by a gap.
            let of_tile = runs.iter_mut().filter(|run| run.clause == l1::BY_ELEMENT);
            of_tile.for_each(|run| run.clause = l1::STAGED);
            runs
        }
        Scratch::Open(clause) => {
            let mut runs = Runs::default();
            runs.anything(0, len, Why::open(clause));
            runs.finish().0
        }
    }
}

/// Why what no run covers is kept; none where that is why what lies around it is.
fn kept(call: &Call, role: Role, target: Target) -> Option<Clause> {
    use Role::{Destination, Index, Source, Table};
    Some(Clause(match (call, role) {
        (Call::Mscatter(_), Source | Index) if target == Target::Cpu => "MSCATTER-SEM-03",
        (Call::Mscatter(_) | Call::MscatterFirst(_), Source | Index) => "MSCATTER-GAP-61",
        (Call::Mgather(_), Destination) => "MGATHER-GAP-18",
        (Call::MgatherL1(_), Destination) if target != Target::Cpu => "MGATHERL1-GAP-01",
        (Call::Mgather(_) | Call::MgatherL1(_), Table | Index) => "MGATHER-GAP-50",
        (Call::TscatterIndex(_), Destination) => "TSCATTER-GAP-02",
        (Call::TscatterMask(c), Destination) => mask::clauses(c, target)[1],
        (Call::Tgatherb(_), Destination) => "TGATHERB-GAP-07",
        _ => return None,
    }))
}

/// Why what lies around an operand is kept: it is not among what the form says that it writes.
fn around(call: &Call, role: Role, target: Target, readings: &Readings) -> Clause {
    match call {
        Call::Mscatter(_) => Clause("MSCATTER-SEM-04"),
        Call::MscatterFirst(c) => {
            let mode = restated(c, readings).mode;
            by_mode(mode, "MSCATTER0-SEM-01", "MSCATTER0-SEM-02").clause
        }
        Call::Mgather(_) => Clause("MGATHER-SEM-03"),
        // A line of the cache may reach beyond the staging area.
        Call::MgatherL1(_) if role == Role::Scratch && target != Target::Cpu => l1::STAGED,
        Call::MgatherL1(c) => l1::plain(c, target).clause,
        // These say that they change their destination and nothing else.
        Call::TscatterIndex(_) | Call::TscatterMask(_) => Clause("TSCATTER-SEM-05"),
        Call::Tgatherb(_) => Clause("TGATHERB-SEM-04"),
    }
}
