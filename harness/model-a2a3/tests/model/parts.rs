//! Large tables that note what is written of them: a call comes to the same,
//! and what it does not write is not taken for written.

use proptest::{collection::vec, prelude::*, sample::select};
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, End, Fault, GlobalTensor, How, Layout, Log, Memory, Mgather, Model,
    Mscatter, Readings, Region, Role, RowAddOrder, ScatterAtomicOp, ScatterOob, Strays, Tgatherb,
    TscatterIndex, reading::GAPS,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{
    bytes, in_ub, mat, memory, mgather, mgather_l1, mscatter, nd, nz, nz_tile, region, run_on,
    table, tile,
};

const BOTH: [Coalesce; 2] = [Coalesce::Row, Coalesce::Elem];

/// Bytes of a table here, or a few more: enough that it notes what is written.
const LARGE: u64 = 160 << 10;

/// Runs a call without a trace.
fn quiet(call: &Call, readings: Readings, memory: &mut Memory) -> (Result<End, Fault>, Strays) {
    let how = How {
        readings,
        ..How::default()
    };
    let mut log = Log::default();
    let outcome = A2a3.execute(call, memory, &how, &mut log);
    (outcome, log.strays)
}

/// The same memory, whose large regions note what is written of them.
fn noting(memory: &Memory) -> Memory {
    let mut memory = memory.clone();
    memory.regions.iter_mut().for_each(Region::note_writes);
    memory
}

/// `len` bytes of many values.
fn body(len: usize) -> Vec<u8> {
    let pattern: Vec<u8> = (0..251).map(|k: u8| k.wrapping_mul(37)).collect();
    let mut body = pattern.repeat(len.div_ceil(pattern.len()));
    body.truncate(len);
    body
}

/// A large ND table, at times with padding in some of its dimensions.
fn a_table(dtype: DType) -> impl Strategy<Value = GlobalTensor> {
    let outer = || select(vec![1, 1, 2, 3_u64]);
    let pad = || select(vec![0, 0, 0, 1, 24_u64]);
    (
        (outer(), outer(), outer()),
        1..80_u64,
        (pad(), pad(), pad(), pad()),
    )
        .prop_map(move |((s0, s1, s2), cols, (p0, p1, p2, p3))| {
            let rows = (LARGE / dtype.size() as u64).div_ceil(s0 * s1 * s2 * cols);
            let d3 = cols + p3;
            let d2 = rows * d3 + p2;
            let d1 = s2 * d2 + p1;
            let d0 = s1 * d1 + p0;
            table(
                dtype,
                [s0, s1, s2, rows, cols],
                [d0, d1, d2, d3, 1],
                Layout::ND,
            )
        })
}

/// Dtypes that `atomic` has a kernel for, of every width.
fn dtypes(atomic: ScatterAtomicOp) -> Vec<DType> {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Int64};
    match atomic {
        ScatterAtomicOp::Add => vec![Int8, Int16, Int32, Half, Bfloat16, Float],
        _ => vec![Int8, Half, Float, Int64],
    }
}

/// Scatters of at most 4 KiB, their rows at times wider than the table's.
fn a_scatter() -> impl Strategy<Value = Mscatter> {
    use {ScatterAtomicOp as Op, ScatterOob as Oob};
    let oob = select(vec![Oob::Undefined, Oob::Skip, Oob::Clamp, Oob::Wrap]);
    let extents = (select(BOTH.to_vec()), 1..9_u64, 1..65_u64);
    let index = select(vec![DType::Int32, DType::Uint32]);
    let of_dtype = |(atomic, dtype)| (Just(atomic), a_table(dtype));
    select(vec![Op::None, Op::Add])
        .prop_flat_map(|atomic| (Just(atomic), select(dtypes(atomic))))
        .prop_flat_map(of_dtype)
        .prop_flat_map(move |of| (Just(of), oob.clone(), extents.clone(), index.clone()))
        .prop_map(|((atomic, table), oob, (mode, rows, cols), index)| {
            let valid = match mode {
                Coalesce::Row => [1, rows],
                Coalesce::Elem => [rows, cols],
            };
            let src = tile(table.dtype, [rows, 64], [rows, cols]);
            Mscatter {
                atomic,
                oob,
                ..mscatter(mode, table, src, tile(index, [valid[0], 64], valid))
            }
        })
}

/// Readings that have a say in where a scatter writes and what.
fn some_readings() -> impl Strategy<Value = Readings> {
    const NAMES: [&str; 7] = [
        "negative-index",
        "add-overflow",
        "row-add-order",
        "subnormals",
        "padded-elem",
        "burst-tail",
        "outer-strides",
    ];
    vec(any::<prop::sample::Index>(), NAMES.len()).prop_map(|picks| {
        let mut readings = Readings::default();
        for gap in GAPS {
            let Some(at) = NAMES.iter().position(|name| *name == gap.name) else {
                continue;
            };
            let choice = picks[at].get(gap.choices);
            readings.set(gap.name, choice).expect("its own choice");
        }
        readings
    })
}

/// Which place one index selects.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// One of the first few: duplicates.
    Low(u32),
    Anywhere(prop::sample::Index),
    /// So far from where the capacity ends.
    NearEnd(u32),
    Bits(u32),
}

fn places(count: usize) -> impl Strategy<Value = Vec<Place>> {
    let inside = || {
        prop_oneof![
            3 => (0..9_u32).prop_map(Place::Low),
            3 => any::<prop::sample::Index>().prop_map(Place::Anywhere),
        ]
    };
    let any_place = prop_oneof![
        16 => inside(),
        1 => (0..9_u32).prop_map(Place::NearEnd),
        1 => select(vec![u32::MAX, u32::MAX - 8, 1 << 31, 1 << 20]).prop_map(Place::Bits),
    ];
    prop_oneof![vec(inside(), count), vec(any_place, count)]
}

fn index_bytes(places: &[Place], call: &Mscatter) -> Vec<u8> {
    let dims = match call.mode {
        Coalesce::Row => 4,
        Coalesce::Elem => 5,
    };
    let extents = call.table.shape.iter().take(dims);
    let capacity = extents.map(|d| d.get()).product::<u64>() as u32;
    bytes(places.iter().map(|place| match place {
        Place::Low(at) => *at,
        Place::Anywhere(at) => at.index(capacity as usize) as u32,
        Place::NearEnd(at) => capacity - 4 + *at,
        Place::Bits(bits) => *bits,
    }))
}

/// Bytes from a tensor's first element to its last one.
fn reach(table: &GlobalTensor) -> usize {
    let last: u64 = (0..5)
        .map(|d| (table.shape[d].get() - 1) * table.stride[d].get())
        .sum();
    (last as usize + 1) * table.dtype.size()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        // A failure becomes a test of its own.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn noting_writes_changes_nothing(
        call in a_scatter(),
        readings in some_readings(),
        places in places(8 * 64),
        cuts in [select(vec![0, 0, 0, 20_000_usize]), select(vec![0, 0, 0, 40]), select(vec![0, 0, 0, 8])],
    ) {
        let size = call.src.dtype.size();
        let lens = [
            reach(&call.table),
            (call.src.rows * 64) as usize * size,
            (call.idx.rows * 64) as usize * 4,
        ];
        let mut index = index_bytes(&places, &call);
        index.truncate(lens[2] - cuts[2]);
        let operands = [body(lens[0] - cuts[0]), body(lens[1] - cuts[1]), index];
        let call = Call::Mscatter(call);
        let mut plain = in_ub(&call, operands);
        let before = noting(&plain);
        let mut after = before.clone();
        let (outcome, strays) = quiet(&call, readings, &mut after);
        prop_assert_eq!(&outcome, &Ok(End::Finished));
        prop_assert_eq!((outcome, strays.clone()), quiet(&call, readings, &mut plain));
        // Not with `prop_assert_eq`: tables are long to print.
        prop_assert!(after == plain);
        if strays.count == 0 && readings.row_add_order == RowAddOrder::InOrder {
            let pages = before.regions[0].may_differ(&after.regions[0]);
            prop_assert!(pages.is_some(), "the whole table is taken for written");
        }
    }
}

/// A table of 640 rows of 64 floats, 256 bytes each, behind 64 bytes of guard
/// zone; a source of ones; `indices` in one row, as many as there are.
fn rows_or_elements(mode: Coalesce, indices: &[i32]) -> (Mscatter, Memory) {
    let count = indices.len() as u64;
    let valid = match mode {
        Coalesce::Row => [count, 64],
        Coalesce::Elem => [1, count],
    };
    let mut call = mscatter(
        mode,
        nd(DType::Float, 640, 64),
        tile(DType::Float, [8, 64], valid),
        tile(DType::Int32, [1, 64], [1, count]),
    );
    call.atomic = ScatterAtomicOp::Add;
    let mut index = indices.to_vec();
    index.resize(64, 0);
    let table = vec![0_f32; 640 * 64];
    let operands = [bytes(table), bytes([1_f32; 8 * 64]), bytes(index)];
    let memory = noting(&in_ub(&Call::Mscatter(call), operands));
    (call, memory)
}

/// KiB of the table's region that differ after the call.
fn written(call: Mscatter, before: &Memory) -> Option<Vec<usize>> {
    let mut after = before.clone();
    let (outcome, strays) = quiet(&Call::Mscatter(call), Readings::default(), &mut after);
    assert_eq!((outcome, strays.count), (Ok(End::Finished), 0));
    assert!(run_on(Call::Mscatter(call), Readings::default(), before.clone()).memory == after);
    let pages = before.regions[0].may_differ(&after.regions[0])?;
    let mut pages: Vec<usize> = pages.map(|page| page.start >> 10).collect();
    pages.sort_unstable();
    Some(pages)
}

#[test]
fn only_what_a_scatter_writes_differs() {
    // Row 3 is bytes 832 to 1087, row 200 is bytes 51264 to 51519.
    let (call, before) = rows_or_elements(Coalesce::Row, &[200, 3, 3]);
    assert_eq!(written(call, &before), Some(vec![0, 1, 50]));
    // Byte 1020 is the last element of its KiB, byte 163,900 the last of all.
    let (call, before) = rows_or_elements(Coalesce::Elem, &[239, 40_959, 239]);
    assert_eq!(written(call, &before), Some(vec![0, 160]));
}

/// An Add that leaves the table with its last element adds the others once.
#[test]
fn what_strays_is_not_added_twice() {
    let (call, before) = rows_or_elements(Coalesce::Elem, &[5, 6, 5, 640 * 64]);
    let mut after = before.clone();
    let (_, strays) = quiet(&Call::Mscatter(call), Readings::default(), &mut after);
    assert_eq!(strays.count, 2, "its read and its write");
    let slots = after.regions[0].body().as_chunks().0;
    assert_eq!(slots[5..8], [2_f32, 1., 0.].map(f32::to_le_bytes));
}

/// A trace tells of each lane, also where the table could be written part by part.
#[test]
fn a_trace_is_that_of_an_ordinary_table() {
    let inside = [200, 3, 3];
    let straying = [5, 6, 640 * 64];
    for (mode, indices) in BOTH.into_iter().flat_map(|m| [(m, inside), (m, straying)]) {
        for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
            let (mut call, noting) = rows_or_elements(mode, &indices);
            call.atomic = atomic;
            let ordinary = |noting: &Region| region(noting.role, noting.body().to_vec());
            let plain = Memory {
                regions: noting.regions.iter().map(ordinary).collect(),
            };
            assert!(noting.regions[0].backdrop().is_some());
            assert!(plain.regions[0].backdrop().is_none());

            let [noted, plain] = [noting, plain]
                .map(|memory| run_on(Call::Mscatter(call), Readings::default(), memory));
            assert_eq!(noted.outcome, Ok(End::Finished));
            assert_eq!(noted.outcome, plain.outcome);
            assert_eq!(plain.log.strays.count != 0, indices == straying);
            assert!(noted.log.trace.as_ref().is_some_and(|t| !t.is_empty()));
            assert_eq!(noted.log, plain.log, "{call:?}");
            // Not with `assert_eq`: tables are long to print.
            assert!(noted.memory == plain.memory);
        }
    }
}

/// Even where the source is as large as half the table.
#[test]
fn a_scatter_that_writes_nothing_keeps_the_backdrop() {
    for mode in BOTH {
        let mut call = mscatter(
            mode,
            nd(DType::Float, 640, 64),
            tile(DType::Float, [320, 64], [320, 64]),
            match mode {
                Coalesce::Row => tile(DType::Int32, [1, 320], [1, 320]),
                Coalesce::Elem => tile(DType::Int32, [320, 64], [320, 64]),
            },
        );
        call.oob = ScatterOob::Skip;
        let lens = [640 * 256, 320 * 256, 320 * 256];
        let [table, source, _] = lens.map(body);
        let index = bytes(vec![-1_i32; 320 * 64]);
        let before = noting(&in_ub(&Call::Mscatter(call), [table, source, index]));
        let mut nothing_valid = call;
        nothing_valid.src.valid_row = Dim::Dynamic(0);
        for call in [call, nothing_valid] {
            let mut after = before.clone();
            let (outcome, _) = quiet(&Call::Mscatter(call), Readings::default(), &mut after);
            assert_eq!(outcome, Ok(End::Finished));
            assert!(before.regions[0].backdrop().is_some());
            assert_eq!(after.regions[0].backdrop(), before.regions[0].backdrop());
        }
    }
}

/// The call leaves what `role` names as it was, and noted so, with a trace and without.
fn assert_only_read(call: Call, role: Role, before: &Memory) {
    let mut before = before.clone();
    before.get_mut(role).expect("it has this one").note_writes();
    let backdrop = |memory: &Memory| memory.get(role).and_then(Region::backdrop);
    assert!(backdrop(&before).is_some());
    for trace in [None, Some(Vec::new())] {
        let (mut after, mut log) = (before.clone(), Log::default());
        log.trace = trace;
        let outcome = A2a3.execute(&call, &mut after, &How::default(), &mut log);
        assert_eq!(outcome, Ok(End::Finished));
        assert_eq!(backdrop(&after), backdrop(&before), "{call:?}");
    }
}

#[test]
fn a_gather_keeps_the_backdrop_of_its_table() {
    for mode in BOTH {
        let data = tile(DType::Float, [8, 64], [8, 64]);
        let index = match mode {
            Coalesce::Row => tile(DType::Int32, [1, 8], [1, 8]),
            Coalesce::Elem => tile(DType::Int32, [8, 64], [8, 64]),
        };
        let operands = || [body(640 * 256), body(8 * 256), bytes([7_i32; 8 * 64])];
        let plain: Mgather = mgather(mode, data, nd(DType::Float, 640, 64), index);
        let boxed = Mgather {
            dst: nz_tile(DType::Float, [16, 64], [8, 64]),
            table: nz(DType::Float, [1, 8, 40], 8),
            ..plain
        };
        for call in [plain, boxed].map(Call::Mgather) {
            assert_only_read(call, Role::Table, &in_ub(&call, operands()));
        }
        let dst = mat(DType::Float, [16, 64], [8, 64]);
        let call = Call::MgatherL1(mgather_l1(mode, dst, nd(DType::Float, 640, 64)));
        let [table, tile, index] = operands();
        let before = memory([
            (Role::Table, table),
            (Role::Destination, tile),
            (Role::Index, index),
            (Role::Scratch, body(16 * 256)),
        ]);
        assert_only_read(call, Role::Table, &before);
    }
}

#[test]
fn what_tscatter_and_tgatherb_read_keeps_its_backdrop() {
    let large = tile(DType::Float, [640, 64], [1, 64]);
    let index = |dtype| tile(dtype, [640, 64], [1, 64]);
    let all = [Role::Destination, Role::Source, Role::Index];
    let before = memory(all.map(|role| (role, vec![0; 640 * 256])));
    let scatter = Call::TscatterIndex(TscatterIndex {
        dst: large,
        src: large,
        idx: index(DType::Int32),
    });
    let gather = Call::Tgatherb(Tgatherb {
        dst: large,
        src: large,
        offset: index(DType::Uint32),
    });
    for call in [scatter, gather] {
        assert_only_read(call, Role::Source, &before);
        assert_only_read(call, Role::Index, &before);
    }
}
