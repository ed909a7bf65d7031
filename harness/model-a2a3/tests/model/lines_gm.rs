//! MSCATTER and MGATHER between GM and UB, ND, against plain loops.

use proptest::{prelude::*, sample::select};
use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, GlobalTensor, Mgather, Mscatter, NegativeIndex,
    Pipe::{self, MTE2, MTE3, S, V},
    Readings, Role, ScatterAtomicOp, ScatterOob,
    Space::{Gm, Ub},
    Tile,
};

use crate::{
    common::{mgather, mscatter, nd, pair, tile},
    plain::{Plain, body, compare, cut, dtypes, indices, offset},
};

/// What both instructions make of an index.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Rule {
    Undefined,
    Drop,
    Clamp,
    Wrap,
}

/// The geometry of one call and the operands that it runs on.
#[derive(Clone, Debug)]
struct Setting {
    mode: Coalesce,
    rule: Rule,
    negative: NegativeIndex,
    data: Tile,
    index: Tile,
    capacity: u64,
    /// Row: from one table row to the next, in elements.
    pitch: u64,
    seed: u32,
    /// Bytes that table, data tile and index tile lack.
    cuts: [usize; 3],
}

fn a_setting(mode: Coalesce) -> impl Strategy<Value = Setting> {
    let rules = vec![Rule::Undefined, Rule::Drop, Rule::Clamp, Rule::Wrap];
    let negatives = vec![
        NegativeIndex::Unsigned,
        NegativeIndex::Signed,
        NegativeIndex::Intended,
    ];
    let pad = || prop_oneof![2 => Just(0), 1 => 0..9_u64];
    (
        (select(rules), select(negatives)),
        select(vec![DType::Int32, DType::Uint32]),
        ([1..30_u64, 1..30_u64], [pad(), pad(), pad()]),
        (1..90_u64, any::<u32>(), [cut(), cut(), cut()]),
    )
        .prop_map(
            move |((rule, negative), index_dtype, ([rows, cols], pads), (capacity, seed, cuts))| {
                let [valid, padded] = match mode {
                    Coalesce::Row => [[1, rows], [1, rows + pads[1]]],
                    Coalesce::Elem => [[rows, cols], [rows, cols + pads[1]]],
                };
                Setting {
                    mode,
                    rule,
                    negative,
                    data: tile(DType::Int8, [rows, cols + pads[0]], [rows, cols]),
                    index: tile(index_dtype, padded, valid),
                    capacity,
                    pitch: cols + pads[2],
                    seed,
                    cuts,
                }
            },
        )
}

impl Setting {
    fn table(&self, dtype: DType) -> GlobalTensor {
        match self.mode {
            Coalesce::Row => nd(dtype, self.capacity, self.pitch),
            Coalesce::Elem => nd(dtype, 1, self.capacity),
        }
    }

    fn tile(&self, dtype: DType) -> Tile {
        Tile { dtype, ..self.data }
    }

    /// Bytes of table, the data tile as `role`, and indices.
    fn operands(&self, dtype: DType, role: Role) -> [(Role, Vec<u8>); 3] {
        let width = dtype.size();
        let elements = match self.mode {
            Coalesce::Row => self.capacity * self.pitch,
            Coalesce::Elem => self.capacity,
        };
        let data = (self.data.rows * self.data.cols) as usize;
        let count = (self.index.rows * self.index.cols) as usize;
        let [table_cut, data_cut, index_cut] = self.cuts;
        let index = indices(count, 4, self.capacity, self.seed, index_cut);
        [
            (Role::Table, body(elements as usize * width, table_cut)),
            (role, body(data * width, data_cut)),
            (Role::Index, index),
        ]
    }

    fn readings(&self) -> Readings {
        Readings {
            negative_index: self.negative,
            ..Readings::default()
        }
    }

    /// The slot or row that the index at (r, c) selects.
    fn selected(&self, r: u64, c: u64, plain: &mut Plain) -> Option<i64> {
        let bits = plain.index(Ub, offset(&self.index, r, c, 4), 4);
        let signed = self.index.dtype == DType::Int32 && self.negative != NegativeIndex::Unsigned;
        let index = match signed {
            true => i64::from(bits as u32 as i32),
            false => bits,
        };
        let literal = self.negative == NegativeIndex::Signed;
        let capacity = self.capacity as i64;
        match self.rule {
            Rule::Undefined => Some(index),
            Rule::Drop => (index < capacity && (index >= 0 || literal)).then_some(index),
            Rule::Clamp if literal => Some(index.min(capacity - 1)),
            Rule::Clamp => Some(index.clamp(0, capacity - 1)),
            Rule::Wrap if literal => Some(index % capacity),
            Rule::Wrap => Some(index.rem_euclid(capacity)),
        }
    }

    fn scatter(&self, dtype: DType, atomic: ScatterAtomicOp) -> Mscatter {
        let oob = match self.rule {
            Rule::Undefined => ScatterOob::Undefined,
            Rule::Drop => ScatterOob::Skip,
            Rule::Clamp => ScatterOob::Clamp,
            Rule::Wrap => ScatterOob::Wrap,
        };
        let (table, src) = (self.table(dtype), self.tile(dtype));
        Mscatter {
            oob,
            atomic,
            ..mscatter(self.mode, table, src, self.index)
        }
    }

    fn gather(&self, dtype: DType) -> Mgather {
        let oob = match self.rule {
            Rule::Undefined => GatherOob::Undefined,
            Rule::Drop => GatherOob::Zero,
            Rule::Clamp => GatherOob::Clamp,
            Rule::Wrap => GatherOob::Wrap,
        };
        let (table, dst) = (self.table(dtype), self.tile(dtype));
        Mgather {
            oob,
            ..mgather(self.mode, dst, table, self.index)
        }
    }
}

fn pairs<const N: usize>(plain: &mut Plain, all: [(Pipe, Pipe); N]) {
    for (from, to) in all {
        for event in pair(from, to) {
            plain.note(event);
        }
    }
}

/// One burst; `bits` is the width in its name.
fn dma(plain: &mut Plain, name: &str, from: (Role, i64), to: (Role, i64), len: usize, bits: usize) {
    plain.note(Event::Dma {
        name: format!("{name}_align_b{bits}"),
        from,
        to,
        n_burst: 1,
        len_burst: len as u64,
        gm_gap: 0,
        ub_gap: 0,
    });
    let bytes = plain.read(from.0, from.1, len);
    plain.write(to.0, to.1, &bytes);
}

fn sum(dtype: DType, old: &[u8], new: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let (old, new) = (number(old), number(new));
    match dtype {
        DType::Int32 => old.wrapping_add(new).to_le_bytes().to_vec(),
        _ => (f32::from_bits(old) + f32::from_bits(new))
            .to_le_bytes()
            .to_vec(),
    }
}

/// MSCATTER-SYNC-05, -09 around a store for each element, or a load and a store.
fn scatter_elements(setting: &Setting, call: &Mscatter, plain: &mut Plain) {
    let (dtype, width) = (call.src.dtype, call.src.dtype.size());
    pairs(plain, [(V, S), (MTE3, S), (MTE2, S)]);
    for r in 0..call.src.valid_row.get() {
        for c in 0..call.src.valid_col.get() {
            let Some(slot) = setting.selected(r, c, plain) else {
                continue;
            };
            let new = plain.load(Ub, Role::Source, offset(&call.src, r, c, width), width);
            let at = slot * width as i64;
            if call.atomic == ScatterAtomicOp::None {
                plain.store(Gm, Role::Table, at, &new);
                continue;
            }
            // Both are issued before either takes effect.
            for load in [true, false] {
                let (space, role, offset, len) = (Gm, Role::Table, at, width as u64);
                plain.note(match load {
                    true => Event::Load {
                        space,
                        role,
                        offset,
                        len,
                    },
                    false => Event::Store {
                        space,
                        role,
                        offset,
                        len,
                    },
                });
            }
            let old = plain.read(Role::Table, at, width);
            plain.write(Role::Table, at, &sum(dtype, &old, &new));
        }
    }
    pairs(plain, [(S, V), (S, MTE2), (S, MTE3)]);
}

/// MSCATTER-SYNC-03, -06, -08 around a burst for each row.
fn scatter_rows(setting: &Setting, call: &Mscatter, plain: &mut Plain) {
    let width = call.src.dtype.size();
    let len = call.src.valid_col.get() as usize * width;
    pairs(plain, [(V, S), (MTE2, S), (S, MTE3)]);
    for r in 0..call.src.valid_row.get() {
        let Some(row) = setting.selected(0, r, plain) else {
            continue;
        };
        let from = (Role::Source, offset(&call.src, r, 0, width));
        let to = (Role::Table, row * (setting.pitch as usize * width) as i64);
        dma(plain, "copy_ubuf_to_gm", from, to, len, 8 * width.min(4));
        pairs(plain, [(MTE3, S)]);
    }
    pairs(plain, [(MTE3, V), (MTE3, MTE2)]);
}

/// MGATHER-SYNC-04, -06 around a load and a store for each element; what Zero
/// finds nothing for is stored as zero (MGATHER-OOB-16).
fn gather_elements(setting: &Setting, call: &Mgather, plain: &mut Plain) {
    let width = call.dst.dtype.size();
    pairs(plain, [(V, S), (MTE3, S), (MTE2, S)]);
    for r in 0..call.dst.valid_row.get() {
        for c in 0..call.dst.valid_col.get() {
            let value = match setting.selected(r, c, plain) {
                Some(slot) => plain.load(Gm, Role::Table, slot * width as i64, width),
                None => vec![0; width],
            };
            plain.store(
                Ub,
                Role::Destination,
                offset(&call.dst, r, c, width),
                &value,
            );
        }
    }
    pairs(plain, [(S, V), (S, MTE2), (S, MTE3)]);
}

/// MGATHER-SYNC-03, -05 around a burst for each row; what Zero finds nothing
/// for is filled by scalar stores (MGATHER-OOB-14).
fn gather_rows(setting: &Setting, call: &Mgather, plain: &mut Plain) {
    let width = call.dst.dtype.size();
    let len = call.dst.valid_col.get() as usize * width;
    pairs(plain, [(V, S), (MTE3, S)]);
    for r in 0..call.dst.valid_row.get() {
        let to = offset(&call.dst, r, 0, width);
        if let Some(row) = setting.selected(0, r, plain) {
            let from = (Role::Table, row * (setting.pitch as usize * width) as i64);
            let to = (Role::Destination, to);
            dma(plain, "copy_gm_to_ubuf", from, to, len, 8 * width.min(4));
            continue;
        }
        // All are issued, then all take effect.
        let cells: Vec<i64> = (0..len).step_by(width).map(|k| to + k as i64).collect();
        for &offset in &cells {
            let (space, role, len) = (Ub, Role::Destination, width as u64);
            plain.note(Event::Store {
                space,
                role,
                offset,
                len,
            });
        }
        for at in cells {
            plain.write(Role::Destination, at, &vec![0; width]);
        }
    }
    let after = [(S, MTE2), (MTE2, V), (MTE2, MTE3), (S, V), (S, MTE3)];
    pairs(plain, after);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        // A failure becomes a test of its own.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn scattered_elements(setting in a_setting(Coalesce::Elem), dtype in dtypes()) {
        let call = setting.scatter(dtype, ScatterAtomicOp::None);
        let operands = setting.operands(dtype, Role::Source);
        compare(Call::Mscatter(call), setting.readings(), operands, |plain| {
            scatter_elements(&setting, &call, plain);
        })?;
    }

    #[test]
    fn added_elements(
        setting in a_setting(Coalesce::Elem),
        dtype in select(vec![DType::Int32, DType::Float]),
    ) {
        let call = setting.scatter(dtype, ScatterAtomicOp::Add);
        let operands = setting.operands(dtype, Role::Source);
        compare(Call::Mscatter(call), setting.readings(), operands, |plain| {
            scatter_elements(&setting, &call, plain);
        })?;
    }

    #[test]
    fn scattered_rows(setting in a_setting(Coalesce::Row), dtype in dtypes()) {
        let call = setting.scatter(dtype, ScatterAtomicOp::None);
        let operands = setting.operands(dtype, Role::Source);
        compare(Call::Mscatter(call), setting.readings(), operands, |plain| {
            scatter_rows(&setting, &call, plain);
        })?;
    }

    #[test]
    fn gathered_elements(setting in a_setting(Coalesce::Elem), dtype in dtypes()) {
        let call = setting.gather(dtype);
        let operands = setting.operands(dtype, Role::Destination);
        compare(Call::Mgather(call), setting.readings(), operands, |plain| {
            gather_elements(&setting, &call, plain);
        })?;
    }

    #[test]
    fn gathered_rows(setting in a_setting(Coalesce::Row), dtype in dtypes()) {
        let call = setting.gather(dtype);
        let operands = setting.operands(dtype, Role::Destination);
        compare(Call::Mgather(call), setting.readings(), operands, |plain| {
            gather_rows(&setting, &call, plain);
        })?;
    }
}
