//! What a page about one case shows beside its verdict.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Role, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Lane;
use crate::schema::{PartyText, Word};

/// What a page about one case shows beside its verdict.
///
/// A case in which something differs or violates has all of it. Any other has
/// its text alone: traces and slots would be most of the record and show nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseDetail {
    /// The case as a case file of its own.
    pub yaml: String,
    /// What each target issued, under the first schedule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<Word<Target>, TraceText>")]
    pub traces: BTreeMap<Target, TraceText>,
    /// How the slots of the output came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<SlotMap>,
    /// Of a scatter what the source held for the lanes that slots name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// What the source held for a lane: chunk, row, column and the value as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Source(pub u32, pub u64, pub u64, pub String);

/// The beginning of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceText {
    /// The first lines, at most [`TraceText::LINES`].
    pub lines: Vec<String>,
    /// How many more lines there are.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub more: u64,
}

impl TraceText {
    /// How many lines are kept.
    pub const LINES: usize = 200;

    /// Keeps the first of `lines` and counts the rest.
    #[must_use]
    pub fn of(lines: impl IntoIterator<Item = String>) -> Self {
        let mut rest = lines.into_iter();
        let lines = rest.by_ref().take(Self::LINES).collect();
        Self {
            lines,
            more: rest.count() as u64,
        }
    }
}

/// How one slot came out, over all parties with a result; the worst where
/// several hold. Written as a letter.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display, strum::EnumString,
)]
pub enum SlotState {
    /// Padding, or between the rows of a strided tensor: no element.
    #[strum(serialize = "p")]
    Padding,
    /// Nothing may be written there, and nothing was.
    #[strum(serialize = "k")]
    Kept,
    /// Written, and the same on all parties.
    #[strum(serialize = "s")]
    Same,
    /// Nothing is promised of it on some party.
    #[strum(serialize = "o")]
    Open,
    /// Parties differ, and clauses permit it.
    #[strum(serialize = "d")]
    Differs,
    /// A party holds what no permit allows, or parties differ and no clause
    /// permits it.
    #[strum(serialize = "v")]
    Violates,
}

/// States of slots in the order in which they are stored, as runs. Written
/// `k12s3v1`: twelve kept, three the same, one that violates.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct StateRuns {
    /// In order, neighbours different, none empty.
    runs: Vec<(SlotState, u64)>,
}

/// Why a text is no [`StateRuns`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no list of slot states: pairs of a letter of `pksodv` and a count above 0")]
pub struct NoStates(String);

impl StateRuns {
    /// How many runs are kept; a reader sees what was dropped by the count of slots.
    pub const RUNS: usize = 4096;
}

impl FromIterator<(SlotState, u64)> for StateRuns {
    /// Joins neighbours of one state, and keeps the first [`StateRuns::RUNS`] runs.
    fn from_iter<I: IntoIterator<Item = (SlotState, u64)>>(all: I) -> Self {
        let mut runs: Vec<(SlotState, u64)> = Vec::new();
        for (state, count) in all.into_iter().filter(|(_, count)| *count > 0) {
            let full = runs.len() == Self::RUNS;
            match runs.last_mut() {
                Some((last, run)) if *last == state => *run = run.saturating_add(count),
                _ if full => break,
                _ => runs.push((state, count)),
            }
        }
        Self { runs }
    }
}

impl From<StateRuns> for String {
    fn from(states: StateRuns) -> Self {
        let runs = states.runs.iter();
        runs.map(|(state, count)| format!("{state}{count}"))
            .collect()
    }
}

impl TryFrom<String> for StateRuns {
    type Error = NoStates;

    fn try_from(text: String) -> Result<Self, NoStates> {
        let wrong = || NoStates(text.chars().take(40).collect());
        let mut runs = Vec::new();
        let mut rest = text.as_str();
        while let Some(letter) = rest.chars().next() {
            let (state, after) = rest.split_at(letter.len_utf8());
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (count, after) = after.split_at(digits);
            let state: SlotState = state.parse().map_err(|_| wrong())?;
            let count = count.parse().ok().filter(|count| *count > 0);
            runs.push((state, count.ok_or_else(wrong)?));
            rest = after;
        }
        Ok(runs.into_iter().collect())
    }
}

/// How the slots of one operand came out: a picture of it.
///
/// Slot `n`, counted from the start of the operand's body, stands in band
/// `n / (rows * band)`; with `m` the rest of that division, in row `m / band`
/// and column `band number * band + m % band`. A `band` of `cols` makes that
/// row by row, of 1 column by column, of a block's width NZ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotMap {
    /// The operand.
    #[schemars(with = "Word<Role>")]
    pub role: Role,
    /// Rows of the picture, padding included; never 0.
    pub rows: u64,
    /// Columns of the picture, padding included; never 0.
    pub cols: u64,
    /// Columns that are stored together; it divides `cols`.
    pub band: u64,
    /// Bytes of one slot.
    pub slot_bytes: u64,
    /// Slots of the body. Where `states` has fewer, the rest was too various to keep.
    pub slots: u64,
    /// How they came out.
    pub states: StateRuns,
    /// Which lane's value stands in slots that several wrote, by party; at
    /// most [`SlotMap::WINS`] runs each. A schedule is the one that the slots
    /// of the case's pairs name, otherwise the first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<PartyText, Vec<Win>>")]
    pub winners: BTreeMap<Party, Vec<Win>>,
}

impl SlotMap {
    /// How many runs of winners are kept a party.
    pub const WINS: usize = 1024;

    /// Notes that the value of `lane` stands in `slot` on `party`; slots come
    /// in increasing order. Dropped where there are too many.
    pub fn win(&mut self, party: &Party, slot: u64, lane: Lane) {
        let wins = self.winners.entry(party.clone()).or_default();
        let full = wins.len() == Self::WINS;
        match wins.last_mut() {
            Some(last) if last.is_followed_by(slot, lane) => last.count += 1,
            _ if full => {}
            _ => wins.push(Win {
                slot,
                count: 1,
                lane,
            }),
        }
    }
}

/// Adjacent slots won by neighbours in one row of the data tile. Written as
/// `[slot, count, step, row, column]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(from = "(u64, u64, u32, u64, u64)", into = "(u64, u64, u32, u64, u64)")]
pub struct Win {
    /// The first slot.
    pub slot: u64,
    /// How many slots.
    pub count: u64,
    /// The lane that won the first; each further slot was won by the lane one
    /// column to the right.
    pub lane: Lane,
}

impl Win {
    fn is_followed_by(&self, slot: u64, lane: Lane) -> bool {
        let next = |from: u64| from.checked_add(self.count);
        (lane.step, lane.r) == (self.lane.step, self.lane.r)
            && next(self.slot) == Some(slot)
            && next(self.lane.c) == Some(lane.c)
    }
}

impl From<(u64, u64, u32, u64, u64)> for Win {
    fn from((slot, count, step, r, c): (u64, u64, u32, u64, u64)) -> Self {
        let lane = Lane::at(step, r, c);
        Self { slot, count, lane }
    }
}

impl From<Win> for (u64, u64, u32, u64, u64) {
    fn from(win: Win) -> Self {
        (win.slot, win.count, win.lane.step, win.lane.r, win.lane.c)
    }
}
