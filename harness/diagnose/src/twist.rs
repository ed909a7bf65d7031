//! Deviations that any model can have: another call, other operands, a spoiled result.

use std::sync::Arc;

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, End, Fault, GatherExec, GatherOob, GlobalTensor, How, Log,
    MaskAxis, Memory, Model, Operand, Readings, Rejection, Role, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target, Tile,
};
use ptodiff_runner::models;

/// What is done otherwise.
pub(crate) enum Twist {
    /// Another call is run.
    Call(Box<dyn Fn(&mut Call) + Send + Sync>),
    /// An operand that is only read is taken for another: its role, and what an
    /// element becomes, given as a number, sign-extended, with its size.
    Reads(Role, fn(i128, usize) -> i128),
    /// The result is spoiled: the call, the output before and after, and bytes of
    /// an element.
    Leaves(fn(&Call, &[u8], &mut [u8], usize)),
    /// The model runs under other readings.
    Reading(&'static str, &'static str),
    /// Another target's model runs.
    Other,
}

/// A model with a twist.
pub(crate) struct Twisted {
    pub(crate) target: Target,
    pub(crate) inner: Arc<dyn Model>,
    pub(crate) twist: Arc<Twist>,
}

/// The model of `target`.
pub(crate) fn right(target: Target) -> Arc<dyn Model> {
    Arc::new(Right(target))
}

struct Right(Target);

impl Right {
    fn model(&self) -> &'static dyn Model {
        let [cpu, a2a3, a5] = models();
        match self.0 {
            Target::Cpu => cpu,
            Target::A2a3 => a2a3,
            Target::A5 => a5,
        }
    }
}

impl Model for Right {
    fn target(&self) -> Target {
        self.0
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        self.model().check(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        self.model().execute(call, memory, how, log)
    }
}

impl Model for Twisted {
    fn target(&self) -> Target {
        self.target
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        match &*self.twist {
            Twist::Other => Right(self.target).check(call, readings),
            Twist::Reading(gap, choice) => self.inner.check(call, &under(readings, gap, choice)),
            _ => self.inner.check(call, readings),
        }
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        match &*self.twist {
            Twist::Call(change) => {
                let mut other = *call;
                change(&mut other);
                self.inner.execute(&other, memory, how, log)
            }
            Twist::Reads(role, change) => {
                let before = memory.get(*role).cloned();
                for_each(call, memory, *role, *change);
                let end = self.inner.execute(call, memory, how, log);
                // It is only read: what it held is what it holds.
                if let (Some(before), Some(now)) = (before, memory.get_mut(*role)) {
                    *now = before;
                }
                end
            }
            Twist::Leaves(spoil) => {
                let output = call.output();
                let before = memory.get(output).cloned();
                let end = self.inner.execute(call, memory, how, log)?;
                if let (Some(before), Some(after)) = (before, memory.get_mut(output)) {
                    let size = call.data_tile().dtype.size();
                    spoil(call, before.body(), after.body_mut(), size);
                }
                Ok(end)
            }
            Twist::Reading(gap, choice) => {
                let mut how = *how;
                how.readings = under(&how.readings, gap, choice);
                self.inner.execute(call, memory, &how, log)
            }
            Twist::Other => self.inner.execute(call, memory, how, log),
        }
    }
}

/// The readings with another choice for one gap.
fn under(readings: &Readings, gap: &str, choice: &str) -> Readings {
    let mut other = *readings;
    // Both come from the list of gaps.
    let _ = other.set(gap, choice);
    other
}

/// Changes each whole element of an operand's body.
fn for_each(call: &Call, memory: &mut Memory, role: Role, change: fn(i128, usize) -> i128) {
    let dtype = match call.operand(role) {
        Some(Operand::Tile(tile)) => tile.dtype,
        Some(Operand::Tensor(tensor)) => tensor.dtype,
        None => return,
    };
    let size = dtype.size();
    let bytes = memory.get_mut(role).map(ptodiff_isa::Region::body_mut);
    for element in bytes.into_iter().flat_map(|b| b.chunks_exact_mut(size)) {
        let mut wide = [0; 16];
        wide[..size].copy_from_slice(element);
        let unused = 128 - 8 * size as u32;
        let number = match dtype.is_signed_integer() {
            true => i128::from_le_bytes(wide) << unused >> unused,
            false => i128::from_le_bytes(wide),
        };
        let data_size = call.data_tile().dtype.size();
        element.copy_from_slice(&change(number, data_size).to_le_bytes()[..size]);
    }
}

/// Name, sentence, twist.
pub(crate) type Known = (String, String, Twist);

/// Deviations that hold for any form; those that change nothing in a call explain
/// nothing.
pub(crate) fn known() -> Vec<Known> {
    let mut all = calls();
    all.extend(reads());
    all.extend(leaves());
    all
}

fn call(name: &str, sentence: &str, f: impl Fn(&mut Call) + Send + Sync + 'static) -> Known {
    (
        name.to_owned(),
        sentence.to_owned(),
        Twist::Call(Box::new(f)),
    )
}

fn less(dim: Dim) -> Dim {
    Dim::Dynamic(dim.get().saturating_sub(1))
}

fn calls() -> Vec<Known> {
    let mut all = vec![
        call("last-row-left-out", "leaves out the last row", |call| {
            tiles(call, |tile, _| tile.valid_row = less(tile.valid_row));
        }),
        call(
            "last-column-left-out",
            "leaves out the last column",
            |call| {
                tiles(call, |tile, _| tile.valid_col = less(tile.valid_col));
            },
        ),
        call(
            "padding-too",
            "runs over the padded tile, not over its valid region",
            |call| {
                tiles(call, |tile, _| {
                    tile.valid_row = Dim::Dynamic(tile.rows);
                    tile.valid_col = Dim::Dynamic(tile.cols);
                });
            },
        ),
        call(
            "valid-width-is-pitch",
            "takes the valid width of a tile for the distance of its rows",
            |call| {
                tiles(call, |tile, _| tile.cols = tile.valid_col.get().max(1));
            },
        ),
        call(
            "strides-ignored",
            "takes the table for packed: its strides are not read",
            |call| {
                if let Some(table) = table(call) {
                    let mut pitch = 1;
                    for dim in (0..5).rev() {
                        table.stride[dim] = Dim::Dynamic(pitch);
                        pitch = pitch.saturating_mul(table.shape[dim].get());
                    }
                }
            },
        ),
        call(
            "table-transposed",
            "exchanges rows and columns of the table",
            |call| {
                if let Some(table) = table(call) {
                    table.shape.swap(3, 4);
                    table.stride.swap(3, 4);
                }
            },
        ),
        call(
            "capacity-one-less",
            "takes the table for one slot, or one row, smaller than it is",
            |call| {
                let mode = call.mode().unwrap_or(Coalesce::Elem);
                let Some(table) = table(call) else { return };
                match mode {
                    Coalesce::Row => table.shape[3] = less(table.shape[3]),
                    // The table is flat there.
                    Coalesce::Elem => {
                        let all = table.shape.iter();
                        let all = all.fold(1, |n: u64, dim| n.saturating_mul(dim.get()));
                        table.shape = [1, 1, 1, 1, all.saturating_sub(1)].map(Dim::Dynamic);
                    }
                }
            },
        ),
        call(
            "mode-exchanged",
            "takes Row for Elem, or Elem for Row",
            |call| {
                let mode = match call {
                    Call::Mscatter(c) => &mut c.mode,
                    Call::Mgather(c) => &mut c.mode,
                    Call::MgatherL1(c) => &mut c.mode,
                    _ => return,
                };
                *mode = match mode {
                    Coalesce::Row => Coalesce::Elem,
                    Coalesce::Elem => Coalesce::Row,
                };
            },
        ),
        call(
            "conflict-exchanged",
            "takes the conflict policy Last for Default, or Default for Last",
            |call| {
                if let Call::Mscatter(c) = call {
                    c.conflict = match c.conflict {
                        ScatterConflict::Last => ScatterConflict::Default,
                        ScatterConflict::Default => ScatterConflict::Last,
                    };
                }
            },
        ),
        call(
            "exec-exchanged",
            "takes the scalar way for the SIMT one, or the reverse",
            |call| {
                if let Call::MgatherL1(c) = call {
                    c.exec = match c.exec {
                        GatherExec::Scalar => GatherExec::Simt,
                        GatherExec::Simt => GatherExec::Scalar,
                    };
                }
            },
        ),
        call(
            "axis-exchanged",
            "puts the pattern along the other axis",
            |call| {
                if let Call::TscatterMask(c) = call {
                    c.axis = match c.axis {
                        MaskAxis::Row => MaskAxis::Col,
                        MaskAxis::Col => MaskAxis::Row,
                    };
                }
            },
        ),
        call(
            "index-sign-exchanged",
            "takes signed indices for unsigned ones, or the reverse",
            |call| {
                let idx = match call {
                    Call::MgatherL1(c) => &mut c.idx.dtype,
                    _ => match tile(call, Role::Index) {
                        Some(tile) => &mut tile.dtype,
                        None => return,
                    },
                };
                *idx = other_sign(*idx);
            },
        ),
        call(
            "data-sign-exchanged",
            "takes signed elements for unsigned ones, or the reverse",
            |call| {
                retype(call, other_sign);
            },
        ),
        call(
            "half-is-bfloat16",
            "takes half for bfloat16, or the reverse",
            |call| {
                retype(call, |dtype| match dtype {
                    DType::Half => DType::Bfloat16,
                    DType::Bfloat16 => DType::Half,
                    other => other,
                });
            },
        ),
    ];
    for role in [Role::Index, Role::Source, Role::Destination] {
        all.push(call(
            &format!("{role}-layout"),
            &format!(
                "takes the {role} tile for column-major where it is row-major, or the reverse"
            ),
            move |call| {
                if let Some(tile) = tile(call, role) {
                    tile.blayout = match tile.blayout {
                        BLayout::RowMajor => BLayout::ColMajor,
                        BLayout::ColMajor => BLayout::RowMajor,
                    };
                }
            },
        ));
        all.push(call(
            &format!("valid-width-is-pitch-of-{role}"),
            &format!("takes the valid width of the {role} tile for the distance of its rows"),
            move |call| {
                if let Some(tile) = tile(call, role) {
                    tile.cols = tile.valid_col.get().max(1);
                }
            },
        ));
    }
    for op in [
        ScatterAtomicOp::None,
        ScatterAtomicOp::Add,
        ScatterAtomicOp::Max,
        ScatterAtomicOp::Min,
    ] {
        let what = match op {
            ScatterAtomicOp::None => "replaces where the call has an atomic operation".to_owned(),
            op => format!("does {op} whatever the call's atomic operation is"),
        };
        all.push(call(
            &format!("atomic-is-{}", lower(op)),
            &what,
            move |call| match call {
                Call::Mscatter(c) => c.atomic = op,
                Call::MscatterFirst(c) => c.atomic = op,
                _ => {}
            },
        ));
    }
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        all.push(call(
            &format!("scatter-is-{}", lower(oob)),
            &policy(oob),
            move |call| match call {
                Call::Mscatter(c) => c.oob = oob,
                Call::MscatterFirst(c) => c.oob = oob,
                _ => {}
            },
        ));
    }
    for oob in [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ] {
        all.push(call(
            &format!("gather-is-{}", lower(oob)),
            &policy(oob),
            move |call| match call {
                Call::Mgather(c) => c.oob = oob,
                Call::MgatherL1(c) => c.oob = oob,
                _ => {}
            },
        ));
    }
    all
}

fn lower(word: impl std::fmt::Display) -> String {
    word.to_string().to_lowercase()
}

fn policy(oob: impl std::fmt::Display) -> String {
    format!("treats indices out of bounds as {oob} does, whatever the call says")
}

fn other_sign(dtype: DType) -> DType {
    use DType::{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};
    match dtype {
        Int8 => Uint8,
        Uint8 => Int8,
        Int16 => Uint16,
        Uint16 => Int16,
        Int32 => Uint32,
        Uint32 => Int32,
        Int64 => Uint64,
        Uint64 => Int64,
        other => other,
    }
}

/// The tile that plays `role`, if one does.
fn tile(call: &mut Call, role: Role) -> Option<&mut Tile> {
    use Role::{Destination, Index, Source};
    Some(match (call, role) {
        (Call::Mscatter(c), Source) => &mut c.src,
        (Call::Mscatter(c), Index) => &mut c.idx,
        (Call::MscatterFirst(c), Source) => &mut c.src,
        (Call::MscatterFirst(c), Index) => &mut c.idx,
        (Call::Mgather(c), Destination) => &mut c.dst,
        (Call::Mgather(c), Index) => &mut c.idx,
        (Call::MgatherL1(c), Destination) => &mut c.dst,
        (Call::TscatterIndex(c), Destination) => &mut c.dst,
        (Call::TscatterIndex(c), Source) => &mut c.src,
        (Call::TscatterIndex(c), Index) => &mut c.idx,
        (Call::TscatterMask(c), Destination) => &mut c.dst,
        (Call::TscatterMask(c), Source) => &mut c.src,
        (Call::Tgatherb(c), Destination) => &mut c.dst,
        (Call::Tgatherb(c), Source) => &mut c.src,
        (Call::Tgatherb(c), Index) => &mut c.offset,
        _ => return None,
    })
}

fn table(call: &mut Call) -> Option<&mut GlobalTensor> {
    match call {
        Call::Mscatter(c) => Some(&mut c.table),
        Call::MscatterFirst(c) => Some(&mut c.table),
        Call::Mgather(c) => Some(&mut c.table),
        Call::MgatherL1(c) => Some(&mut c.table),
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => None,
    }
}

/// Changes each tile.
fn tiles(call: &mut Call, change: impl Fn(&mut Tile, Role)) {
    for role in [Role::Source, Role::Destination, Role::Index] {
        if let Some(tile) = tile(call, role) {
            change(tile, role);
        }
    }
}

/// Changes the type of the data.
fn retype(call: &mut Call, change: fn(DType) -> DType) {
    for role in [Role::Source, Role::Destination] {
        if let Some(tile) = tile(call, role) {
            tile.dtype = change(tile.dtype);
        }
    }
    if let Some(table) = table(call) {
        table.dtype = change(table.dtype);
    }
}

fn reads() -> Vec<Known> {
    let index = |name: &str, sentence: &str, change| {
        (
            name.to_owned(),
            sentence.to_owned(),
            Twist::Reads(Role::Index, change),
        )
    };
    vec![
        index(
            "index-one-more",
            "takes the slot after the one that an index says",
            |i, _| i + 1,
        ),
        index(
            "index-one-less",
            "takes the slot before the one that an index says",
            |i, _| i - 1,
        ),
        index(
            "index-in-bytes",
            "takes an index for a number of bytes",
            |i, size| i.div_euclid(size as i128),
        ),
        index(
            "index-times-size",
            "multiplies an index, or an offset, by the bytes of an element",
            |i, size| i * size as i128,
        ),
        index(
            "index-8-bits",
            "keeps the lower 8 bits of an index",
            |i, _| i & 0xFF,
        ),
        index(
            "index-16-bits",
            "keeps the lower 16 bits of an index",
            |i, _| i & 0xFFFF,
        ),
        index(
            "index-16-bits-signed",
            "keeps the lower 16 bits of an index, with a sign",
            |i, _| i128::from(i as i16),
        ),
        index("index-absolute", "drops the sign of an index", |i, _| {
            i.abs()
        }),
        index(
            "index-in-blocks",
            "rounds an offset down to a block of 32 bytes",
            |i, _| i & !31,
        ),
        index(
            "index-one-block-more",
            "takes the block of 32 bytes after the one that an offset says",
            |i, _| i + 32,
        ),
        index(
            "index-one-block-less",
            "takes the block of 32 bytes before the one that an offset says",
            |i, _| i - 32,
        ),
        index(
            "index-byte-order",
            "reads an index in the other byte order",
            |i, _| i128::from((i as u32).swap_bytes()),
        ),
    ]
}

fn leaves() -> Vec<Known> {
    let leaves = |name: &str, sentence: &str, spoil| {
        (name.to_owned(), sentence.to_owned(), Twist::Leaves(spoil))
    };
    vec![
        leaves(
            "nothing-written",
            "writes nothing",
            |_, before, after, _| {
                after.copy_from_slice(before);
            },
        ),
        leaves(
            "zeros-written",
            "writes zeros in place of the values",
            |_, before, after, size| {
                elements(before, after, size, |_, new| new.fill(0));
            },
        ),
        leaves(
            "byte-order",
            "writes elements in the other byte order",
            |_, before, after, size| {
                elements(before, after, size, |_, new| new.reverse());
            },
        ),
        leaves(
            "lower-half-only",
            "writes the lower half of an element only",
            |_, before, after, size| {
                elements(before, after, size, |old, new| {
                    let half = old.len() / 2;
                    new[half..].copy_from_slice(&old[half..]);
                });
            },
        ),
        leaves(
            "upper-half-zero",
            "loses the upper half of an element",
            |_, before, after, size| {
                elements(before, after, size, |old, new| new[old.len() / 2..].fill(0));
            },
        ),
        leaves(
            "sign-lost",
            "loses the sign of an element",
            |_, before, after, size| {
                elements(before, after, size, |_, new| {
                    if let Some(last) = new.last_mut() {
                        *last &= 0x7F;
                    }
                });
            },
        ),
        leaves(
            "one-element-too-far",
            "writes each element one slot too far",
            |_, before, after, size| {
                moved(before, after, size, size as isize);
            },
        ),
        leaves(
            "one-element-too-early",
            "writes each element one slot too early",
            |_, before, after, size| {
                moved(before, after, size, -(size as isize));
            },
        ),
        leaves(
            "one-block-too-far",
            "writes one block of 32 bytes too far",
            |_, before, after, size| {
                moved(before, after, size, 32);
            },
        ),
        leaves(
            "one-block-too-early",
            "writes one block of 32 bytes too early",
            |_, before, after, size| {
                moved(before, after, size, -32);
            },
        ),
        leaves(
            "one-row-too-far",
            "writes one row too far",
            |call, before, after, size| {
                moved(before, after, size, (row(call) * size as u64) as isize);
            },
        ),
        leaves(
            "neighbours-exchanged",
            "exchanges neighbouring elements",
            |_, before, after, size| {
                let right = after.to_vec();
                for (pair, new) in right
                    .chunks_exact(2 * size)
                    .zip(after.chunks_exact_mut(2 * size))
                {
                    if before.len() >= 2 * size {
                        new[..size].copy_from_slice(&pair[size..]);
                        new[size..].copy_from_slice(&pair[..size]);
                    }
                }
            },
        ),
        leaves(
            "last-element-left-out",
            "leaves out the last element that is to be written",
            |_, before, after, size| {
                if let Some(last) = changed(before, after, size).last() {
                    after[last * size..][..size].copy_from_slice(&before[last * size..][..size]);
                }
            },
        ),
        leaves(
            "first-element-left-out",
            "leaves out the first element that is to be written",
            |_, before, after, size| {
                if let Some(first) = changed(before, after, size).first() {
                    after[first * size..][..size].copy_from_slice(&before[first * size..][..size]);
                }
            },
        ),
        leaves(
            "rest-zeroed",
            "zeroes what it does not write",
            |_, before, after, size| {
                let written = changed(before, after, size);
                for (n, element) in after.chunks_exact_mut(size).enumerate() {
                    if written.binary_search(&n).is_err() {
                        element.fill(0);
                    }
                }
            },
        ),
    ]
}

/// Elements from one row of the output to the next.
fn row(call: &Call) -> u64 {
    match call.operand(call.output()) {
        Some(Operand::Tile(tile)) => tile.cols,
        Some(Operand::Tensor(tensor)) => tensor.stride[3].get(),
        None => 0,
    }
}

/// The numbers of the elements that changed.
fn changed(before: &[u8], after: &[u8], size: usize) -> Vec<usize> {
    let pairs = before.chunks_exact(size).zip(after.chunks_exact(size));
    let pairs = pairs.enumerate().filter(|(_, (old, new))| old != new);
    pairs.map(|(n, _)| n).collect()
}

/// Spoils each element that changed.
fn elements(before: &[u8], after: &mut [u8], size: usize, spoil: impl Fn(&[u8], &mut [u8])) {
    for n in changed(before, after, size) {
        let place = n * size..(n + 1) * size;
        spoil(&before[place.clone()], &mut after[place]);
    }
}

/// Puts each element that changed so many bytes from where it belongs.
fn moved(before: &[u8], after: &mut [u8], size: usize, by: isize) {
    let right = after.to_vec();
    let written = changed(before, after, size);
    after.copy_from_slice(before);
    for n in written {
        let to = (n * size).checked_add_signed(by);
        let place = to.and_then(|to| after.get_mut(to..to.saturating_add(size)));
        if let Some(place) = place {
            place.copy_from_slice(&right[n * size..][..size]);
        }
    }
}
