//! What each handshake is good for: the program around the call and the
//! kernel, with the handshake and without it.
//!
//! The shape of every test: the handshakes of a kernel in order, and for each
//! whether the outcome without it is another one. `crate::handshake` in the
//! model gives the reason for every "no".

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, Log, Memory, Mgather, Mscatter, Readings, Role,
    ScatterAtomicOp, Tile,
};
use ptodiff_model_a2a3::{Handshake, Surroundings, handshakes, run_pipes};

use crate::common::{
    Number, With, bytes, count, image, in_ub, line, mat, memory, mgather, mgather_l1, mscatter, nd,
    nz, nz_tile, tile,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int32};

const YES: bool = true;
const NO: bool = false;

pub(crate) fn named(text: &str) -> Handshake {
    text.parse().expect("a handshake")
}

/// Memory and surroundings after the call without a handshake.
pub(crate) fn outcome(
    call: &Call,
    memory: &Memory,
    without: Option<&str>,
) -> (Memory, Surroundings) {
    let mut memory = memory.clone();
    let mut log = Log::default();
    let without = without.map(named);
    let seen = run_pipes(call, &mut memory, &Readings::default(), without, &mut log);
    (memory, seen.expect("a kernel that runs"))
}

/// An operand's elements after the call without a handshake.
fn left<T: Number>(call: &Call, memory: &Memory, without: &str, role: Role) -> Vec<T> {
    let (memory, _) = outcome(call, memory, Some(without));
    T::take(memory.get(role).expect("an operand").body())
}

/// Checks the whole list of a kernel's handshakes, and which of them show.
fn each_shows(call: &Call, memory: &Memory, wanted: &[(&str, bool)]) {
    let names: Vec<String> = handshakes(call).iter().map(ToString::to_string).collect();
    let listed: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, listed);
    let whole = outcome(call, memory, None);
    for &(name, shows) in wanted {
        let other = outcome(call, memory, Some(name)) != whole;
        assert_eq!(other, shows, "without `{name}`");
    }
}

/// A tile by rows or by NZ blocks, and a table of it.
type Operands = (GlobalTensor, Tile);

/// Four rows of eight, and a table of four.
fn by_rows() -> Operands {
    (nd(Int32, 4, 8), tile(Int32, [4, 8], [4, 8]))
}

/// By NZ: 16 rows of two blocks, five of them moved.
fn by_blocks() -> Operands {
    (nz(Int32, [1, 2, 1], 8), nz_tile(Int32, [16, 16], [5, 16]))
}

/// Single elements of the same.
fn elements() -> [Operands; 2] {
    [
        (line(Int32, 16), tile(Int32, [2, 8], [2, 5])),
        (nz(Int32, [1, 2, 1], 8), nz_tile(Int32, [16, 16], [16, 16])),
    ]
}

/// A call with its memory: slot k of a table holds 1000 + k, element k of a tile k.
fn with_memory(call: Call, indices: &[i32]) -> (Call, Memory) {
    let idx = match &call {
        Call::Mscatter(call) => call.idx,
        Call::Mgather(call) => call.idx,
        _ => unreachable!("no other call here"),
    };
    let table = call.table().expect("a table");
    let slots: u64 = table.shape.iter().map(|extent| extent.get()).product();
    let tile = call.data_tile();
    let operands = [
        bytes(count(1000, slots as i32)),
        bytes(count(0, (tile.rows * tile.cols) as i32)),
        bytes(image(&idx, indices, 0)),
    ];
    (call, in_ub(&call, operands))
}

/// Both halves of the table are written, and an index whose lowest bit is flipped
/// names another row.
fn scatter_rows((table, src): Operands, atomic: ScatterAtomicOp) -> (Call, Memory) {
    let idx = tile(Int32, [1, 8], [1, src.valid_row.get()]);
    let call = mscatter(Row, table, src, idx);
    let call = Call::Mscatter(Mscatter { atomic, ..call });
    with_memory(call, &[2, 0, 3, 1, 0])
}

pub(crate) fn row_scatter(atomic: ScatterAtomicOp) -> (Call, Memory) {
    scatter_rows(by_rows(), atomic)
}

/// One index of four is out of bounds.
fn gather_rows((table, dst): Operands, oob: GatherOob, out: i32) -> (Call, Memory) {
    let idx = tile(Int32, [1, 8], [1, dst.valid_row.get()]);
    let call = mgather(Row, dst, table, idx);
    let call = Call::Mgather(Mgather { oob, ..call });
    with_memory(call, &[2, out, 3, 1, 0])
}

pub(crate) fn row_gather(oob: GatherOob) -> (Call, Memory) {
    gather_rows(by_rows(), oob, 4)
}

/// MSCATTER-SYNC-03, -07: the mode reaches the unit late, or leaves it early.
#[test]
fn the_atomic_mode_is_state() {
    let (call, memory) = row_scatter(ScatterAtomicOp::Add);
    let table = |without| left::<i32>(&call, &memory, without, Role::Table);
    // Rows 2, 0, 3, 1 of the table take rows 0 to 3 of the source.
    let stored: Vec<i32> = [1, 3, 0, 2]
        .into_iter()
        .flat_map(|from| 8 * from..8 * from + 8)
        .collect();
    let mut added: Vec<i32> = stored.iter().zip(1000..).map(|(a, b)| a + b).collect();
    assert_eq!(table("after MTE3->V"), added, "a whole call");
    // The first burst, into row 2, stores.
    added[16..24].copy_from_slice(&stored[16..24]);
    assert_eq!(table("before S->MTE3"), added);
    // Nobody has waited for any burst when the mode is switched off.
    assert_eq!(table("reset MTE3->S"), stored);
}

/// 000 and 001, Elem pre-amble and post-amble.
#[test]
fn elements_of_both_instructions() {
    let wanted = [
        ("before V->S", YES),
        ("before MTE3->S", YES),
        ("before MTE2->S", YES),
        ("after S->V", YES),
        ("after S->MTE2", YES),
        ("after S->MTE3", YES),
    ];
    for (table, data) in elements() {
        let extents = [data.valid_row.get(), data.valid_col.get()];
        let idx = tile(Int32, [data.rows, data.cols], extents);
        let slots = data.rows * data.cols;
        let down: Vec<i32> = (0..slots as i32).rev().collect();
        let scatter = mscatter(Elem, table, data, idx);
        let add = scatter.with(|c| c.atomic = ScatterAtomicOp::Add);
        let gather = mgather(Elem, data, table, idx);
        for call in [
            Call::Mscatter(scatter),
            Call::Mscatter(add),
            Call::Mgather(gather),
        ] {
            // Element 0 of the tile holds no 0, which an index tile may hold, too.
            let operands = [
                bytes(count(1000, slots as i32)),
                bytes(count(1, slots as i32)),
                bytes(down.clone()),
            ];
            each_shows(&call, &in_ub(&call, operands), &wanted);
        }
    }
}

/// 001, Row pre-amble and post-amble. Zero fills on the scalar pipe; NZ fills the whole
/// tile on the pipe of the transfers.
#[test]
fn gather_row() {
    for (operands, oob, out, fills) in [
        (by_rows(), GatherOob::Clamp, 4, NO),
        (by_rows(), GatherOob::Zero, 4, YES),
        (by_blocks(), GatherOob::Clamp, 16, NO),
        (by_blocks(), GatherOob::Zero, 16, NO),
    ] {
        let (call, memory) = gather_rows(operands, oob, out);
        let wanted = [
            ("before V->S", YES),
            ("before MTE3->S", YES),
            ("after S->MTE2", fills),
            ("after MTE2->V", YES),
            ("after MTE2->MTE3", YES),
            ("after S->V", NO),
            ("after S->MTE3", NO),
        ];
        each_shows(&call, &memory, &wanted);
    }
}

/// MGATHERL1-SYNC-03, and MGATHERL1-SYNC-02: Row has no handshake.
#[test]
fn gather_to_l1() {
    let (dst, table) = (mat(Half, [16, 16], [16, 16]), nd(Half, 16, 16));
    let call = Call::MgatherL1(mgather_l1(Elem, dst, table));
    let before = memory([
        (Role::Destination, bytes([1_u16; 256])),
        (Role::Table, bytes(2000..2256_u16)),
        (Role::Index, bytes(0..256_i32)),
        (Role::Scratch, bytes([3_u16; 256])),
    ]);
    each_shows(&call, &before, &[("body S->MTE2", YES)]);
    // The copy finds what the scratch held before the call.
    let tile = left::<u16>(&call, &before, "body S->MTE2", Role::Destination);
    assert_eq!(tile, [3; 256]);
    let row = Call::MgatherL1(mgather_l1(Row, dst, table));
    assert_eq!(handshakes(&row), []);
}

/// MGATHER-SYNC-03: Row of MGATHER waits for MTE2 by way of the caller's pair. Without
/// it the scalar pipe reads what the index tile held before the load, here 0, and
/// gathers row 0 four times. The load arrives in the end.
#[test]
fn the_pair_that_the_caller_owes() {
    const OWED: &str = "caller MTE2->V";
    let (call, memory) = row_gather(GatherOob::Clamp);
    let gathered = left::<i32>(&call, &memory, OWED, Role::Destination);
    assert_eq!(gathered, count(1000, 8).repeat(4));
    let index = left::<i32>(&call, &memory, OWED, Role::Index);
    assert_eq!(index[..4], [2, 4, 3, 1]);

    // The other kernels wait for MTE2 themselves (MGATHER-SYNC-04, MSCATTER-SYNC-03, -05).
    let (data, table) = (tile(Int32, [1, 8], [1, 8]), line(Int32, 8));
    let down = [7, 6, 5, 4, 3, 2, 1, 0];
    let elem = with_memory(Call::Mgather(mgather(Elem, data, table, data)), &down);
    let scatter = with_memory(Call::Mscatter(mscatter(Elem, table, data, data)), &down);
    for (call, memory) in [elem, scatter, row_scatter(ScatterAtomicOp::None)] {
        let without = outcome(&call, &memory, Some(OWED));
        assert_eq!(without, outcome(&call, &memory, None));
    }
}
