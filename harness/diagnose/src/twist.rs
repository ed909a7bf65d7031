//! Deviations that any model can have: another call, other operands, a spoiled result.

mod calls;
mod lanes;
mod leaves;
mod reads;

use std::{ops::Range, sync::Arc};

use ptodiff_case::Form;
use ptodiff_isa::{
    CacheFlush, Call, End, Fault, How, Log, Memory, Model, Readings, Region, Rejection, Role,
    SLayout, Target,
};
use ptodiff_runner::models;

/// What is done otherwise.
pub(crate) enum Twist {
    /// Another call is run.
    Call(Box<dyn Fn(&mut Call) + Send + Sync>),
    /// The operand of this role, which is only read, is taken for another; so may be the call.
    Reads(Role, Misread),
    /// The result is spoiled.
    Leaves(Spoil),
    /// Elements stand column by column in the boxes of tiles.
    Boxes,
    /// The model runs under other readings.
    Readings(Choices),
    /// Another target's model runs.
    Other,
    /// No check is made.
    Unchecked,
    /// Outside of operands zeros are read and nothing is written.
    Inside,
}

/// Gaps, and how each is read.
pub(crate) type Choices = Vec<(&'static str, &'static str)>;

/// Changes a call, and what it reads.
pub(crate) type Misread = Box<dyn Fn(&mut Call, &mut Memory) + Send + Sync>;

/// Spoils a result, given the call, the output before and after it, and what was written.
pub(crate) type Spoil = Box<dyn Fn(&Call, &[u8], &mut [u8], &Wrote) + Send + Sync>;

/// What a call wrote of its output.
pub(crate) struct Wrote {
    /// Bytes of an element.
    size: usize,
    /// The numbers of the elements.
    elements: Vec<usize>,
}

/// A model with a twist.
pub(crate) struct Twisted {
    pub(crate) target: Target,
    pub(crate) inner: Arc<dyn Model>,
    pub(crate) twist: Arc<Twist>,
}

/// The model of `target`.
pub(crate) fn right(target: Target) -> Arc<dyn Model> {
    let [cpu, a2a3, a5] = models();
    Arc::new(match target {
        Target::Cpu => cpu,
        Target::A2a3 => a2a3,
        Target::A5 => a5,
    })
}

/// The call as an implementation runs it, of which no cache keeps what it wrote.
pub(crate) fn flushed(call: &Call) -> Call {
    let mut call = *call;
    if let Some(launch) = call.launch_mut() {
        launch.flush = CacheFlush::Appended;
    }
    call
}

impl Model for Twisted {
    fn target(&self) -> Target {
        self.target
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        match &*self.twist {
            Twist::Other => right(self.target).check(call, readings),
            Twist::Readings(choices) => self.inner.check(call, &under(readings, choices)),
            Twist::Unchecked => Vec::new(),
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
        let call = &flushed(call);
        match &*self.twist {
            Twist::Call(change) => {
                let mut other = *call;
                change(&mut other);
                self.inner.execute(&other, memory, how, log)
            }
            Twist::Reads(role, change) => {
                let (mut other, before) = (*call, memory.get(*role).cloned());
                change(&mut other, memory);
                let end = self.inner.execute(&other, memory, how, log);
                // What it held is what it holds.
                if let (Some(before), Some(now)) = (before, memory.get_mut(*role)) {
                    *now = before;
                }
                end
            }
            Twist::Leaves(spoil) => {
                let output = call.output();
                // Of a sparse one not every element is changed.
                let Some(before) = memory.get(output).filter(|r| !r.is_sparse()).cloned() else {
                    return self.inner.execute(call, memory, how, log);
                };
                // What stood there already shows as written where something else stood.
                let mut second = memory.clone();
                let inverted = second.get_mut(output).map_or_else(Vec::new, |region| {
                    region.body_mut().iter_mut().for_each(|byte| *byte = !*byte);
                    region.body().to_vec()
                });
                let end = self.inner.execute(call, memory, how, log)?;
                let _ = self
                    .inner
                    .execute(call, &mut second, how, &mut Log::default())?;
                if let (Some(after), Some(second)) = (memory.get_mut(output), second.get(output)) {
                    let size = call.data_tile().dtype.size();
                    let mut elements = changed(before.body(), after.body(), size);
                    elements.extend(changed(&inverted, second.body(), size));
                    elements.sort_unstable();
                    elements.dedup();
                    let wrote = Wrote { size, elements };
                    spoil(call, before.body(), after.body_mut(), &wrote);
                }
                Ok(end)
            }
            Twist::Boxes => {
                transpose_boxes(call, memory, true);
                let end = self.inner.execute(call, memory, how, log);
                transpose_boxes(call, memory, false);
                end
            }
            Twist::Readings(choices) => {
                let mut how = *how;
                how.readings = under(&how.readings, choices);
                self.inner.execute(call, memory, &how, log)
            }
            // What a call leaves that a check rejects says nothing.
            Twist::Unchecked if !self.inner.check(call, &how.readings).is_empty() => {
                Ok(End::Finished)
            }
            Twist::Other | Twist::Unchecked => self.inner.execute(call, memory, how, log),
            Twist::Inside => inside(call, memory, log, |memory, log| {
                self.inner.execute(call, memory, how, log)
            }),
        }
    }
}

/// Puts the elements of each box, which has 16 rows of 32 bytes, column by column, or `back`.
fn transpose_boxes(call: &Call, memory: &mut Memory, back: bool) {
    for (role, operand) in call.operands() {
        let tile = match role {
            // It holds an image of the tile.
            Role::Scratch => Some(call.data_tile()),
            _ => operand.tile(),
        };
        let boxed = tile.filter(|tile| tile.slayout != SLayout::NoneBox);
        let (Some(tile), Some(region)) = (boxed, memory.get_mut(role)) else {
            continue;
        };
        let size = tile.dtype.size();
        let [mut rows, mut cols] = [16, 32 / size];
        if back {
            (rows, cols) = (cols, rows);
        }
        for elements in region.body_mut().chunks_exact_mut(rows * cols * size) {
            let given = elements.to_vec();
            for (n, element) in given.chunks_exact(size).enumerate() {
                let to = (n % cols * rows + n / cols) * size;
                elements[to..to + size].copy_from_slice(element);
            }
        }
    }
}

/// The numbers of the elements that changed.
fn changed(before: &[u8], after: &[u8], size: usize) -> Vec<usize> {
    let pairs = before.chunks_exact(size).zip(after.chunks_exact(size));
    let pairs = pairs.enumerate().filter(|(_, (old, new))| old != new);
    pairs.map(|(n, _)| n).collect()
}

/// The readings with other choices.
fn under(readings: &Readings, choices: &Choices) -> Readings {
    let mut other = *readings;
    for (gap, choice) in choices {
        // Both come from the list of gaps.
        let _ = other.set(gap, choice);
    }
    other
}

/// What a read finds that is not even in a guard zone.
const NOWHERE: u8 = 0xEE;

/// Runs a call for which there are zeros outside of operands, and no place to write to.
fn inside(
    call: &Call,
    memory: &mut Memory,
    log: &mut Log,
    run: impl FnOnce(&mut Memory, &mut Log) -> Result<End, Fault>,
) -> Result<End, Fault> {
    let kept_inside = log.oob_accesses.count;
    let before = memory.clone();
    for region in &mut memory.regions {
        for zone in guards(region) {
            if let Some(bytes) = region.part_mut(zone) {
                bytes.fill(0);
            }
        }
    }
    let end = run(memory, log);
    for (region, before) in memory.regions.iter_mut().zip(&before.regions) {
        for zone in guards(region) {
            if let Some(bytes) = region.part_mut(zone.clone()) {
                bytes.copy_from_slice(&before.bytes()[zone]);
            }
        }
    }
    // An element may well be of such bytes.
    if log.oob_accesses.count == kept_inside {
        return end;
    }
    let (output, size) = (call.output(), call.data_tile().dtype.size());
    if let (Some(before), Some(after)) = (before.get(output), memory.get_mut(output)) {
        let start = after.body_range().start;
        for at in after
            .apart(before, size)
            .into_iter()
            .flat_map(|part| part.step_by(size))
        {
            let slot = at..at + size;
            let (Some(old), Some(new)) = (before.body().get(slot.clone()), after.body().get(slot))
            else {
                continue;
            };
            let nowhere = old != new && new.iter().all(|byte| *byte == NOWHERE);
            if let Some(new) = after
                .part_mut(start + at..start + at + size)
                .filter(|_| nowhere)
            {
                new.fill(0);
            }
        }
    }
    end
}

/// The guard zones of a region.
fn guards(region: &Region) -> [Range<usize>; 2] {
    let body = region.body_range();
    [0..body.start, body.end..region.bytes().len()]
}

/// Changes each whole element of an operand's body, given as a number, sign-extended, with the
/// bytes of an element of data.
fn for_each(
    call: &Call,
    memory: &mut Memory,
    role: Role,
    mut change: impl FnMut(i128, usize) -> i128,
) {
    let Some(operand) = call.operand(role) else {
        return;
    };
    let dtype = operand.dtype();
    let size = dtype.size();
    // Of a sparse one not every element is changed.
    let region = memory.get_mut(role).filter(|region| !region.is_sparse());
    let bytes = region.map(Region::body_mut);
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

/// The operand `role` is taken for another.
fn reads(
    name: &str,
    sentence: &str,
    role: Role,
    change: impl Fn(&mut Call, &mut Memory) + Send + Sync + 'static,
) -> Known {
    let twist = Twist::Reads(role, Box::new(change));
    (name.to_owned(), sentence.to_owned(), twist)
}

/// Deviations that hold for any form; those that change nothing in a call explain
/// nothing.
pub(crate) fn known(forms: &[Form]) -> Vec<Known> {
    let (name, sentence) = ("rejects-nothing".to_owned(), "rejects no call".to_owned());
    let mut all = vec![(name, sentence, Twist::Unchecked)];
    let sentence = "takes the elements of a box column by column, not row by row".to_owned();
    all.push(("boxes-transposed".to_owned(), sentence, Twist::Boxes));
    all.extend(calls::known(forms));
    all.extend(reads::known(forms));
    all.extend(lanes::known(forms));
    all.extend(leaves::known());
    all
}
