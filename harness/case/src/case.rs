//! A case: one instruction with its operands, policies, how its data is made,
//! and what is expected of it. What the YAML reader produces and everything
//! else consumes.

use std::path::PathBuf;

use ptodiff_isa::{Argument, Call, Clause, Form, Readings, Target, TargetReadings};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Spot};
use crate::expect::Expectation;
use crate::hole::Hole;
use crate::limits;
use crate::plan::DataPlan;
use crate::yaml::Span;

/// One case, checked: sizes are bounded, literal data fits its dtype.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Unique in the corpus: `cpu/MSCATTERTest.case_row_float_random_8x32_64rows`
    /// for a mirrored case, `FILE_STEM/NAME` for any other.
    pub id: String,
    /// The name, as the ST suite gives it where the case mirrors one.
    pub name: String,
    /// The ST suite that it mirrors, if it mirrors one.
    pub suite: Option<Target>,
    /// Where it stands.
    pub place: Place,
    /// The call.
    pub call: Call,
    /// Whether template arguments are written out. Where they are not, a C++ program leaves
    /// all of them to the library; see [`Case::leaves_all_out`].
    pub spelled: bool,
    /// How often the call is issued, each time with the next part of the
    /// source and index data, on one table (chunked cases); at least 1, and 1
    /// for a call without a table.
    pub chunks: u32,
    /// How operand data is made.
    pub data: DataPlan,
    /// Targets it runs on, in the order of [`Target`].
    pub targets: Vec<Target>,
    /// Readings in force for it.
    pub readings: TargetReadings,
    /// Rejections that are expected, by clause. A target listed here must
    /// reject, and this clause must be among its reasons.
    pub rejected: Vec<(Target, Clause)>,
    /// Preconditions that the case breaks on purpose or because of the suite it
    /// mirrors: this target is promised nothing, by this clause.
    pub undefined: Vec<(Target, Clause)>,
    /// Waiting that is expected, by clause: a target listed here must accept
    /// the call and never return from it.
    pub hangs: Vec<(Target, Clause)>,
    /// Clauses that the case covers, in the order given, each once.
    pub covers: Vec<Clause>,
    /// The gap whose readings the case distinguishes.
    pub gap: Option<Clause>,
    /// The holes that the case shows, each once: one that is gone is a finding.
    pub holes: Vec<Hole>,
    /// What must be found, worked out by hand.
    pub expect: Vec<Expectation>,
    /// Why name and case say different things, where they do.
    pub name_differs: Option<String>,
    /// A line about the case, for people.
    pub about: Option<String>,
}

impl Case {
    /// A case around `call` that says nothing else: data as a file leaves it
    /// out, targets too (the first revision of MSCATTER is A5's alone).
    #[must_use]
    pub fn of_call(name: &str, call: Call) -> Self {
        let mut data = DataPlan::of(&call);
        limits::settle(&call, 1, &mut data.table);
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            suite: None,
            place: Place {
                file: PathBuf::new(),
                span: Span {
                    line: 1,
                    column: 1,
                    ..Span::default()
                },
                expected: ExpectedAt::default(),
                arguments: usize::MAX,
            },
            call,
            spelled: true,
            chunks: 1,
            data,
            targets: Form::of(&call).targets().to_vec(),
            readings: TargetReadings::default(),
            rejected: Vec::new(),
            undefined: Vec::new(),
            hangs: Vec::new(),
            covers: Vec::new(),
            gap: None,
            holes: Vec::new(),
            expect: Vec::new(),
            name_differs: None,
            about: None,
        }
    }

    /// Says which of its template arguments are given where it stands.
    pub fn gives(&mut self, is: impl Fn(&Argument) -> bool) {
        let last = self.call.arguments().iter().rposition(is);
        self.place.arguments = last.map_or(usize::MAX, |at| at + 1);
        self.spelled = last.is_some();
        self.spelled = !self.leaves_all_out();
    }

    /// A mistake at its place.
    pub(crate) fn mistake(&self, code: Code, message: String) -> Diagnostic {
        Diagnostic {
            place: Some(self.place.spot()),
            ..Diagnostic::general(code, message)
        }
    }

    /// The targets that an entry of `expect` speaks of where it does not say: those of the
    /// case, without an answer only those of which nothing else is said.
    pub(crate) fn spoken_of(&self, answers: bool) -> Vec<Target> {
        let elsewhere = [&self.rejected, &self.undefined, &self.hangs];
        let said = |target| elsewhere.into_iter().flatten().any(|(of, _)| *of == target);
        let targets = self.targets.iter().copied();
        targets.filter(|target| answers || !said(*target)).collect()
    }

    /// The readings that decide what its indices count and name: those of its first target.
    #[must_use]
    pub fn data_readings(&self) -> &Readings {
        let first = self.targets.first().copied();
        &self.readings[first.unwrap_or(Target::Cpu)]
    }

    /// Whether the call has template arguments, none of them is written out, and they are
    /// what the documents have by default.
    #[must_use]
    pub fn leaves_all_out(&self) -> bool {
        let may = match &self.call {
            // With a scratch the default of the mode is another (001, GM to L1 Gather).
            Call::MgatherL1(call) => call.scratch.is_none(),
            // A mask is always given, and the others have no arguments.
            Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => false,
            Call::Mscatter(_) | Call::MscatterFirst(_) | Call::Mgather(_) => true,
        };
        !self.spelled && may && self.call.arguments().iter().all(Argument::is_default)
    }
}

/// Where a case stands in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, relative to where the corpus was opened, with `/`.
    pub file: PathBuf,
    /// Its name, or the whole case where it has none.
    pub span: Span,
    /// The lines of what it expects.
    pub expected: ExpectedAt,
    /// How many template arguments there are up to the last one that is given: those behind it
    /// have their defaults. [`usize::MAX`] where none is given, or there is no file.
    pub arguments: usize,
}

impl Place {
    /// The place in its file.
    #[must_use]
    pub fn spot(&self) -> Spot {
        Spot {
            file: self.file.clone(),
            span: self.span.clone(),
        }
    }
}

/// Where a case says what must come of it: lines from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExpectedAt {
    /// Of its `rejected`, `undefined` and `hangs`, where it has them.
    pub clauses: [Option<u32>; 3],
    /// Of the entries of its `expect`, in order.
    pub entries: Vec<u32>,
}
