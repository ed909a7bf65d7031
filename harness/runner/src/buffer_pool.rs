//! Memory that trials use again, one after the other.

use std::sync::Arc;

use ptodiff_isa::Memory;
use ptodiff_judge::{Answer, CaseVerdict};

use crate::party_run::{PartyRun, Promised};

/// What trials are held in: results, promises and party runs. Whoever tries many
/// small cases keeps one and gives each trial back ([`crate::Trial::give_back`]): the next one then asks
/// for hardly any memory. It keeps as much as its largest cases took.
#[derive(Default)]
pub struct BufferPool {
    /// By how many operands they have: one that has fewer would lose the
    /// bytes of the others.
    memories: [Vec<Memory>; OPERANDS + 1],
    promises: Vec<Arc<Promised>>,
    answers: Vec<Vec<Answer>>,
    party_runs: Vec<PartyRun>,
    verdict: CaseVerdict,
}

/// No call has more operands.
const OPERANDS: usize = 4;

/// Most of anything that is kept: a case on three models under a few schedules
/// takes no more.
const KEPT: usize = 8;

/// Most memories of one case that are kept where one is large.
const KEPT_LARGE: usize = 4;

/// Bytes of a memory that is large.
const LARGE: usize = 4 << 20;

/// One of `memories` to copy `of` to: where that has a large region, rather one
/// that held a copy of it, of which only what was written is to be copied again.
fn take(memories: &mut Vec<Memory>, of: &Memory) -> Option<Memory> {
    if of.regions.iter().any(|region| region.backdrop().is_some()) {
        let shares = |one: &Memory| {
            let mut regions = one.regions.iter().zip(&of.regions);
            regions.any(|(one, of)| one.may_differ(of).is_some())
        };
        if let Some(at) = memories.iter().position(shares) {
            return Some(memories.swap_remove(at));
        }
    }
    memories.pop()
}

fn keep<T>(list: &mut Vec<T>, most: usize, one: T) {
    if list.len() < most {
        list.push(one);
    }
}

impl BufferPool {
    /// Takes back what [`BufferPool::verdict`] gave.
    pub(crate) fn take_verdict(&mut self, verdict: CaseVerdict) {
        self.verdict = verdict;
    }

    /// Takes back what [`BufferPool::party_runs`] gave, and what the party runs hold.
    pub(crate) fn take_party_runs(&mut self, mut party_runs: Vec<PartyRun>) {
        for party_run in party_runs.drain(..) {
            let (mut answers, promised) = party_run.into_parts();
            for answer in answers.drain(..) {
                if let Answer::Ran(ran) = answer {
                    self.take_memory(ran.memory);
                }
            }
            keep(&mut self.answers, KEPT, answers);
            self.take_promised(promised);
        }
        self.party_runs = party_runs;
    }

    /// A copy of `of`.
    pub(crate) fn copy(&mut self, of: &Memory) -> Memory {
        let like = self.memories.get_mut(of.regions.len());
        let Some(mut memory) = like.and_then(|like| take(like, of)) else {
            return of.clone();
        };
        for (region, of) in memory.regions.iter_mut().zip(&of.regions) {
            region.clone_from(of);
        }
        memory
    }

    /// Takes back what [`BufferPool::copy`] gave.
    pub(crate) fn take_memory(&mut self, memory: Memory) {
        let bytes = memory.regions.iter().map(|r| r.bytes().len());
        let most = match bytes.sum::<usize>() > LARGE {
            true => KEPT_LARGE,
            false => KEPT,
        };
        if let Some(like) = self.memories.get_mut(memory.regions.len()) {
            keep(like, most, memory);
        }
    }

    /// A promise with one owner, to write over: ask it about a call first.
    pub(crate) fn promised(&mut self) -> Arc<Promised> {
        self.promises.pop().unwrap_or_default()
    }

    /// Takes back what [`BufferPool::promised`] gave. Another party run may hold it, too:
    /// the last one gives it back.
    pub(crate) fn take_promised(&mut self, promised: Arc<Promised>) {
        if Arc::strong_count(&promised) == 1 {
            keep(&mut self.promises, KEPT, promised);
        }
    }

    /// No answers.
    pub(crate) fn answers(&mut self) -> Vec<Answer> {
        self.answers.pop().unwrap_or_default()
    }

    /// A verdict to write over.
    pub(crate) fn verdict(&mut self) -> CaseVerdict {
        std::mem::take(&mut self.verdict)
    }

    /// No party runs.
    pub(crate) fn party_runs(&mut self) -> Vec<PartyRun> {
        std::mem::take(&mut self.party_runs)
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_contract::Permits;
    use ptodiff_isa::{Region, Role, Schedule};

    use super::*;

    /// Where the permits of `promises` stand, in order.
    fn pools<'p>(promises: impl Iterator<Item = Option<&'p Permits>>) -> Vec<usize> {
        let mut all: Vec<usize> = promises
            .flatten()
            .map(|permits| permits.pool.as_ptr().addr())
            .collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn promises_are_written_where_others_stood() {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    \
                    dtype: int32_t\n    tile: {shape: [1, 8]}\n    \
                    index: {shape: [1, 8], data: seq}\n    table: {shape: [1, 1, 1, 1, 8]}\n";
        let loaded = ptodiff_case::load_str("x.yaml", text).expect("a case");
        let case = &loaded.cases[0];
        let steps = ptodiff_generate::stimulus(case, 0).steps;
        let mut buffers = BufferPool::default();
        let mut places = Vec::new();
        for _ in 0..3 {
            let trial = crate::trial_in(
                &mut buffers,
                &crate::models(),
                case,
                &steps,
                &Schedule::InOrder,
            );
            assert_eq!(buffers.promises.len(), 0, "all are taken");
            trial.give_back(&mut buffers);
            places.push(pools(buffers.promises.iter().map(|p| p.said().permits())));
        }
        assert_eq!(places[0].len(), 3, "one a target");
        assert_eq!(
            places,
            [places[0].clone(), places[0].clone(), places[0].clone()]
        );
    }

    fn memory(regions: &[(Role, &[u8])]) -> Memory {
        let region = |(role, bytes): &(Role, &[u8])| {
            Region::new(*role, bytes.to_vec(), 1..bytes.len().max(2) - 1)
        };
        Memory {
            regions: regions.iter().map(region).collect(),
        }
    }

    #[test]
    fn a_copy_stands_where_another_stood() {
        let (table, index) = (Role::Table, Role::Index);
        let large = memory(&[(table, &[1; 64]), (index, &[2; 32])]);
        let small = memory(&[(index, &[3; 7]), (table, &[4; 9])]);
        let three = memory(&[(table, &[5; 3]), (index, &[6; 3]), (Role::Source, &[7; 3])]);
        let places = |memory: &Memory| -> Vec<usize> {
            let bytes = memory.regions.iter().map(Region::bytes);
            bytes.map(|bytes| bytes.as_ptr().addr()).collect()
        };
        let mut buffers = BufferPool::default();
        let first = buffers.copy(&large);
        assert_eq!(first, large);
        let there = places(&first);
        buffers.take_memory(first);
        assert_eq!(buffers.copy(&three), three);
        let second = buffers.copy(&small);
        assert_eq!((&second, places(&second)), (&small, there));
        // A large one is copied to where a copy of it stood.
        buffers.take_memory(second);
        let mut of = memory(&[(table, &vec![1; 1 << 18]), (index, &[2; 32])]);
        of.regions[0].note_writes();
        let copy = buffers.copy(&of);
        let there = places(&copy);
        let others: Vec<Memory> = (0..4).map(|_| buffers.copy(&small)).collect();
        buffers.take_memory(copy);
        others
            .into_iter()
            .for_each(|other| buffers.take_memory(other));
        let copy = buffers.copy(&of);
        assert_eq!((&copy, places(&copy)), (&of, there));
        assert!(copy.regions[0].backdrop().is_some());
        assert_eq!(buffers.memories[2].len(), 4);
        // No more of them are kept than trials take at once.
        let copies: Vec<Memory> = (0..2 * KEPT).map(|_| buffers.copy(&small)).collect();
        copies
            .into_iter()
            .for_each(|copy| buffers.take_memory(copy));
        assert_eq!(buffers.memories[2].len(), KEPT);
        // More operands than any call has are given up.
        let many = memory(&[(table, &[1; 3][..]); OPERANDS + 1]);
        let copy = buffers.copy(&many);
        assert_eq!(copy, many);
        buffers.take_memory(copy);
        assert_eq!(buffers.copy(&many), many);
    }

    #[test]
    fn fewer_large_memories_are_kept() {
        let large = memory(&[(Role::Table, &vec![1; LARGE + 1])]);
        let mut buffers = BufferPool::default();
        (0..KEPT_LARGE + 2).for_each(|_| buffers.take_memory(large.clone()));
        assert_eq!(buffers.memories[1].len(), KEPT_LARGE);
    }
}
