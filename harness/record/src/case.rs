//! One case's line.

use std::{collections::BTreeMap, time::Duration};

use ptodiff_isa::{Instruction, Party, Role, Target, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::detail::CaseDetail;
use crate::finding::{Finding, Reason, Slot, Unpromised, Unseen, Wide, Wrong};
use crate::schema::{PartyText, Word};

words! {
    /// What came of one case.
    #[derive(JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum Verdict {
        /// Two or more targets are legal, conform, and hold the same result.
        Agree,
        /// All conform; some differ where clauses give the freedom.
        Permitted,
        /// One target is legal here and conforms; there is nothing to compare it with.
        Single,
        /// Every target that the case selects rejects it, as documented.
        Rejected,
        /// No selected target promises anything: each rejects or is owed a precondition.
        Undefined,
        /// No target has a result, and one never returns, as documented.
        Hangs,
        /// A target breaks its contract, an expectation fails, or two targets
        /// differ with no clause that permits it.
        Violation,
    }
}

/// What one party did.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum TargetVerdict {
    /// Ran, and every slot holds what the contract permits.
    Conforms,
    /// Rejected, as its documented checks say.
    Rejected,
    /// Ran, but a precondition of the caller is broken: nothing is promised.
    Undefined,
    /// Never returns, as documented.
    Hangs,
    /// Did what the contract does not permit, or missed an expectation.
    Violates,
    /// An implementation that says it cannot run such calls: no result, no violation.
    Unsupported,
}

/// One party's part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetRecord {
    /// What it did.
    pub verdict: TargetVerdict,
    /// Why it rejected or hung, or which preconditions are broken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// What was found wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// How much of the output is wrong, where any is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<Wrong>,
    /// Out-of-bounds accesses, under the first schedule.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub out_of_bounds: u64,
    /// The clause that excuses them, where the verdict is that it conforms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused_by: Option<String>,
    /// Freedom that no schedule made use of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Sums that are held to bounds wider than what is known to be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wide: Option<Wide>,
    /// Clauses that its readings deviate from: what would keep it from a
    /// result under the default ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviates_from: Vec<Reason>,
    /// What an implementation said of a call that it rejected or cannot run, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The last lines that an implementation without an answer wrote to standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// What an implementation did wrong at first, and not when it was asked again alone:
    /// the verdict is on what it did then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaky: Vec<Finding>,
}

/// How two parties compare.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PairVerdict {
    /// The same result.
    Agree,
    /// Different, and clauses give the freedom.
    Permitted,
    /// Different, and no clause gives the freedom, or one of them breaks its contract.
    Violation,
    /// One of them has no defined result.
    NotCompared,
}

/// Two parties' results side by side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairRecord {
    /// The two, in the order of [`Party`].
    #[schemars(with = "(PartyText, PartyText)")]
    pub targets: (Party, Party),
    /// How they compare.
    pub verdict: PairVerdict,
    /// Why they may not stand side by side, or are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Clauses that permit the difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Slots compared.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub compared: u64,
    /// Slots that differ.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub differing: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slot>,
    /// What groups this difference with others of its kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failure_groups: Vec<String>,
}

impl PairRecord {
    /// How `why` ends, after who does, where a rejection keeps the two apart.
    pub const REJECTED: &str = ": rejected";

    /// Whether a rejection keeps the two apart, also one that is a violation of its
    /// party since the case expects another.
    #[must_use]
    pub fn tells_of_a_rejection(&self) -> bool {
        let why = self.why.as_ref();
        why.is_some_and(|why| why.ends_with(Self::REJECTED))
    }
}

/// A reading that mattered: under another choice the case goes another way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadingUse {
    /// The gap parameter.
    pub gap: String,
    /// The gap's numbers.
    pub clauses: Vec<String>,
    /// The choice in force.
    pub choice: String,
    /// Choices under which some target answers differently, with those targets.
    #[schemars(with = "BTreeMap<String, Vec<Word<Target>>>")]
    pub differs_under: BTreeMap<String, Vec<Target>>,
    /// What came of the case under those choices, in a run over all readings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub verdict_under: BTreeMap<String, Verdict>,
}

/// One line of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseRecord {
    /// Unique in the corpus.
    pub id: String,
    /// As the suite names it.
    pub name: String,
    /// The suite it mirrors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Word<Target>>")]
    pub suite: Option<Target>,
    /// Instruction.
    #[schemars(with = "Word<Instruction>")]
    pub instruction: Instruction,
    /// File, with `/`.
    pub file: String,
    /// Line of its name.
    pub line: u32,
    /// The call's parameters as short text, for people and filters. `indices` says what
    /// stands out of the values: `repeated` in a step, `negative`, `outside` of all slots.
    pub call: BTreeMap<String, String>,
    /// What came of it.
    pub verdict: Verdict,
    /// Per party: each target, and further forms of the case beside it (`a5:Simt`).
    #[schemars(with = "BTreeMap<PartyText, TargetRecord>")]
    pub targets: BTreeMap<Party, TargetRecord>,
    /// Per pair of parties that meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairRecord>,
    /// The party that stands alone against the others, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<PartyText>")]
    pub outlier: Option<Party>,
    /// Readings that mattered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ReadingUse>,
    /// Why its name and its content differ, where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_differs: Option<String>,
    /// Where implementations differ from others and nothing is promised, by clause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpromised: Vec<Unpromised>,
    /// Holes that it says it shows and does, as `ptodiff hunt` prints them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<String>,
    /// What it covers, and of which targets it expects something.
    #[serde(default, skip_serializing_if = "Covers::is_empty")]
    pub covers: Covers,
    /// Its text, and where something differs or violates what it looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<CaseDetail>,
}

/// How long a case took. It is told beside its record, which has no clock: the same cases and
/// seed give the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Took {
    /// The models and the contract.
    pub models: Duration,
    /// Each implementation, for its answers.
    pub implementations: BTreeMap<Party, Duration>,
}

/// Whether so many of so many cases are flaky that it is no chance: more than eight, and than
/// one in a hundred. A process that keeps something from call to call looks so.
#[must_use]
pub const fn flaky_by_no_chance(flaky: u64, cases: u64) -> bool {
    flaky > 8 && flaky > cases / 100
}

impl CaseRecord {
    /// What the operand of this role is called in the case: the key that it has there.
    #[must_use]
    pub fn key(&self, role: Role) -> &'static str {
        match role {
            Role::Index if self.call.contains_key("offset") => "offset",
            Role::Source | Role::Destination if self.call.contains_key("tile") => "tile",
            role => role.into(),
        }
    }

    /// Whether it fails in a run that fails on what is flaky, and on differences where nothing
    /// is promised, or on violations alone.
    #[must_use]
    pub fn fails(&self, on_flaky: bool, on_unpromised: bool) -> bool {
        self.verdict == Verdict::Violation
            || on_flaky && self.targets.values().any(|own| !own.flaky.is_empty())
            || on_unpromised && !self.unpromised.is_empty()
    }

    /// Whether a result was held to the contract, or a target to what the case
    /// expects: an outcome, values, a hole.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let conforms = |target: &TargetRecord| target.verdict == TargetVerdict::Conforms;
        let expects = !self.covers.targets.is_empty() || !self.holes.is_empty();
        expects || self.targets.values().any(conforms)
    }
}

/// What a case covers. A case that is none may expect something, too:
/// then it has `targets` alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// The clauses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Targets of which the case expects something that it worked out by hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Word<Target>>")]
    pub targets: Vec<Target>,
    /// Targets of which it expects something under other readings: that is not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Word<Target>>")]
    pub otherwise: Vec<Target>,
    /// Readings other than the defaults that it rests on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub under: BTreeMap<String, String>,
    /// The gap whose readings it distinguishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Those readings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerRecord>,
}

impl Covers {
    /// Whether there is nothing to say of the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the case covers a clause or distinguishes the readings of a gap.
    #[must_use]
    pub fn has_something(&self) -> bool {
        !self.clauses.is_empty() || self.gap.is_some()
    }
}

/// One reading of a gap that a case speaks of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRecord {
    /// Its letter in the register.
    pub letter: char,
    /// What came of the case under it; none where no model can follow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What the case expects under it, in one line, by target.
    #[schemars(with = "BTreeMap<Word<Target>, String>")]
    pub expects: BTreeMap<Target, String>,
}
