//! What each handshake is good for: the program around the call and the
//! kernel, with the handshake and without it.
//!
//! The shape of every test: the handshakes of a kernel in order, and for each
//! whether the outcome without it is another one. `crate::handshake` in the
//! model gives the reason for every "no".

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, Log, Memory, Mgather, Mscatter, Readings, Role,
    ScatterAtomicOp, ScatterOob,
};
use ptodiff_model_a2a3::{Handshake, Surroundings, handshakes, run_pipes};

use crate::common::{
    Number, bytes, in_ub, mat, memory, mgather, mgather_l1, mscatter, nd, nz, nz_tile, tile,
};

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

/// Four rows of eight into a table of four: both halves of it are written, and
/// an index whose lowest bit is flipped names another row.
pub(crate) fn row_scatter(atomic: ScatterAtomicOp) -> (Call, Memory) {
    let call = Call::Mscatter(Mscatter {
        atomic,
        ..mscatter(
            Coalesce::Row,
            nd(DType::Int32, 4, 8),
            tile(DType::Int32, [4, 8], [4, 8]),
            tile(DType::Int32, [1, 8], [1, 4]),
        )
    });
    let operands = [
        bytes(1000..1032_i32),
        bytes(0..32_i32),
        bytes([2_i32, 0, 3, 1, 0, 0, 0, 0]),
    ];
    (call, in_ub(&call, operands))
}

/// The same by NZ: 16 rows of two blocks, five of them moved.
fn nz_row_scatter(atomic: ScatterAtomicOp) -> (Call, Memory) {
    let call = Call::Mscatter(Mscatter {
        atomic,
        ..mscatter(
            Coalesce::Row,
            nz(DType::Int32, [1, 2, 1], 8),
            nz_tile(DType::Int32, [16, 16], [5, 16]),
            tile(DType::Int32, [1, 8], [1, 5]),
        )
    });
    let operands = [
        bytes(1000..1256_i32),
        bytes(0..256_i32),
        bytes([2_i32, 15, 3, 8, 0, 0, 0, 0]),
    ];
    (call, in_ub(&call, operands))
}

/// 000, Row pre-amble, body and post-amble without Add.
#[test]
fn scatter_row() {
    for (call, memory) in [
        row_scatter(ScatterAtomicOp::None),
        nz_row_scatter(ScatterAtomicOp::None),
    ] {
        let wanted = [
            ("before V->S", YES),
            ("before MTE2->S", YES),
            ("before S->MTE3", NO),
            ("body MTE3->S", YES),
            ("after MTE3->V", NO),
            ("after MTE3->MTE2", NO),
        ];
        each_shows(&call, &memory, &wanted);
    }
}

/// A call that drops every row waits for no burst, so the post-amble is all
/// that keeps the caller's earlier store from those who read the table next.
#[test]
fn scatter_row_post_amble() {
    let (call, mut memory) = row_scatter(ScatterAtomicOp::None);
    let Call::Mscatter(call) = call else {
        unreachable!("a scatter")
    };
    let call = Call::Mscatter(Mscatter {
        oob: ScatterOob::Skip,
        ..call
    });
    let index = memory.get_mut(Role::Index).expect("an index tile");
    index.body_mut().copy_from_slice(&bytes([4_i32; 8]));
    let wanted = [
        ("before V->S", NO),
        ("before MTE2->S", NO),
        ("before S->MTE3", NO),
        ("body MTE3->S", NO),
        ("after MTE3->V", YES),
        ("after MTE3->MTE2", YES),
    ];
    each_shows(&call, &memory, &wanted);
}

/// 000, Row pre-amble, atomic-add reset and post-amble with Add.
#[test]
fn scatter_row_add() {
    for (call, memory) in [
        row_scatter(ScatterAtomicOp::Add),
        nz_row_scatter(ScatterAtomicOp::Add),
    ] {
        let wanted = [
            ("before V->S", YES),
            ("before MTE2->S", YES),
            ("before S->MTE3", YES),
            ("reset MTE3->S", YES),
            ("reset S->V", NO),
            ("reset S->MTE2", NO),
            ("after MTE3->V", NO),
            ("after MTE3->MTE2", NO),
        ];
        each_shows(&call, &memory, &wanted);
    }
}

/// MSCATTER-SYNC-03, -07: the mode reaches the unit late, or leaves it early.
#[test]
fn the_atomic_mode_is_state() {
    let (call, memory) = row_scatter(ScatterAtomicOp::Add);
    // Rows 2, 0, 3, 1 of the table take rows 0 to 3 of the source.
    let added: Vec<i32> = [1, 3, 0, 2]
        .into_iter()
        .zip(0..)
        .flat_map(|(from, to)| (0..8).map(move |c| 8 * from + c + 1000 + 8 * to + c))
        .collect();
    let role = Role::Table;
    assert_eq!(
        left::<i32>(&call, &memory, "after MTE3->V", role),
        added,
        "a whole call"
    );

    // The first burst, into row 2, stores.
    let mut first_stored = added.clone();
    first_stored[16..24].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(
        left::<i32>(&call, &memory, "before S->MTE3", role),
        first_stored
    );

    // Nobody has waited for any burst when the mode is switched off.
    let stored: Vec<i32> = [1, 3, 0, 2]
        .into_iter()
        .flat_map(|from| 8 * from..8 * from + 8)
        .collect();
    assert_eq!(left::<i32>(&call, &memory, "reset MTE3->S", role), stored);
}

/// 000, Elem pre-amble and post-amble.
#[test]
fn scatter_elem() {
    let wanted = [
        ("before V->S", YES),
        ("before MTE3->S", YES),
        ("before MTE2->S", YES),
        ("after S->V", YES),
        ("after S->MTE2", YES),
        ("after S->MTE3", YES),
    ];
    for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
        let call = Call::Mscatter(Mscatter {
            atomic,
            ..mscatter(
                Coalesce::Elem,
                nd(DType::Int32, 1, 16),
                tile(DType::Int32, [2, 8], [2, 5]),
                tile(DType::Int32, [2, 8], [2, 5]),
            )
        });
        let operands = [
            bytes(1000..1016_i32),
            bytes(1..17_i32),
            bytes((0..16_i32).rev()),
        ];
        each_shows(&call, &in_ub(&call, operands), &wanted);

        let call = Call::Mscatter(Mscatter {
            atomic,
            ..mscatter(
                Coalesce::Elem,
                nz(DType::Int32, [1, 2, 1], 8),
                nz_tile(DType::Int32, [16, 16], [16, 16]),
                tile(DType::Int32, [16, 16], [16, 16]),
            )
        });
        let operands = [
            bytes(1000..1256_i32),
            bytes(1..257_i32),
            bytes((0..256_i32).rev()),
        ];
        each_shows(&call, &in_ub(&call, operands), &wanted);
    }
}

pub(crate) fn row_gather(oob: GatherOob) -> (Call, Memory) {
    let call = Call::Mgather(Mgather {
        oob,
        ..mgather(
            Coalesce::Row,
            tile(DType::Int32, [4, 8], [4, 8]),
            nd(DType::Int32, 4, 8),
            tile(DType::Int32, [1, 8], [1, 4]),
        )
    });
    let operands = [
        bytes(0..32_i32),
        bytes(1000..1032_i32),
        bytes([2_i32, 4, 3, 1, 0, 0, 0, 0]),
    ];
    (call, in_ub(&call, operands))
}

/// 001, Row pre-amble and post-amble.
#[test]
fn gather_row() {
    let wanted = |fills: bool| {
        [
            ("before V->S", YES),
            ("before MTE3->S", YES),
            ("after S->MTE2", fills),
            ("after MTE2->V", YES),
            ("after MTE2->MTE3", YES),
            ("after S->V", NO),
            ("after S->MTE3", NO),
        ]
    };
    let (call, memory) = row_gather(GatherOob::Clamp);
    each_shows(&call, &memory, &wanted(NO));
    // Row 1 is out of bounds, and the scalar pipe fills it.
    let (call, memory) = row_gather(GatherOob::Zero);
    each_shows(&call, &memory, &wanted(YES));

    // NZ fills the whole tile on the pipe of the transfers.
    for oob in [GatherOob::Clamp, GatherOob::Zero] {
        let call = Call::Mgather(Mgather {
            oob,
            ..mgather(
                Coalesce::Row,
                nz_tile(DType::Int32, [16, 16], [5, 16]),
                nz(DType::Int32, [1, 2, 1], 8),
                tile(DType::Int32, [1, 8], [1, 5]),
            )
        });
        let operands = [
            bytes(0..256_i32),
            bytes(1000..1256_i32),
            bytes([2_i32, 15, 16, 8, 4, 0, 0, 0]),
        ];
        each_shows(&call, &in_ub(&call, operands), &wanted(NO));
    }
}

/// 001, Elem pre-amble and post-amble.
#[test]
fn gather_elem() {
    let wanted = [
        ("before V->S", YES),
        ("before MTE3->S", YES),
        ("before MTE2->S", YES),
        ("after S->V", YES),
        ("after S->MTE2", YES),
        ("after S->MTE3", YES),
    ];
    let call = Call::Mgather(mgather(
        Coalesce::Elem,
        tile(DType::Int32, [2, 8], [2, 5]),
        nd(DType::Int32, 1, 16),
        tile(DType::Int32, [2, 8], [2, 5]),
    ));
    let operands = [
        bytes(0..16_i32),
        bytes(1000..1016_i32),
        bytes((0..16_i32).rev()),
    ];
    each_shows(&call, &in_ub(&call, operands), &wanted);

    let call = Call::Mgather(mgather(
        Coalesce::Elem,
        nz_tile(DType::Int32, [16, 16], [16, 16]),
        nz(DType::Int32, [1, 2, 1], 8),
        tile(DType::Int32, [16, 16], [16, 16]),
    ));
    let operands = [
        bytes(0..256_i32),
        bytes(1000..1256_i32),
        bytes((0..256_i32).rev()),
    ];
    each_shows(&call, &in_ub(&call, operands), &wanted);
}

/// MGATHERL1-SYNC-03, and MGATHERL1-SYNC-02: Row has no handshake.
#[test]
fn gather_to_l1() {
    let call = Call::MgatherL1(mgather_l1(
        Coalesce::Elem,
        mat(DType::Half, [16, 16], [16, 16]),
        nd(DType::Half, 16, 16),
    ));
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

    let row = mgather_l1(
        Coalesce::Row,
        mat(DType::Half, [16, 16], [16, 16]),
        nd(DType::Half, 16, 16),
    );
    assert_eq!(handshakes(&Call::MgatherL1(row)), []);
}

/// MGATHER-SYNC-03: Row of MGATHER waits for MTE2 by way of the caller's pair. Without
/// it the scalar pipe reads what the index tile held before the load, here 0, and
/// gathers row 0 four times. The load arrives in the end.
#[test]
fn the_pair_that_the_caller_owes() {
    const OWED: &str = "caller MTE2->V";
    let (call, memory) = row_gather(GatherOob::Clamp);
    let gathered = left::<i32>(&call, &memory, OWED, Role::Destination);
    assert_eq!(gathered, [0, 1, 2, 3, 4, 5, 6, 7].repeat(4));
    let index = left::<i32>(&call, &memory, OWED, Role::Index);
    assert_eq!(index, [2, 4, 3, 1, 0, 0, 0, 0]);

    // The other kernels wait for MTE2 themselves (MGATHER-SYNC-04, MSCATTER-SYNC-03, -05).
    let [data, idx] = [tile(DType::Int32, [1, 8], [1, 8]); 2];
    let table = nd(DType::Int32, 1, 8);
    let elem = Call::Mgather(mgather(Coalesce::Elem, data, table, idx));
    let operands = [bytes(0..8_i32), bytes(10..18_i32), bytes((0..8_i32).rev())];
    let elem = (elem, in_ub(&elem, operands.clone()));
    let scatter = Call::Mscatter(mscatter(Coalesce::Elem, table, data, idx));
    let scatter = (scatter, in_ub(&scatter, operands));
    for (call, memory) in [elem, scatter, row_scatter(ScatterAtomicOp::None)] {
        assert_eq!(
            outcome(&call, &memory, Some(OWED)),
            outcome(&call, &memory, None)
        );
    }
}
