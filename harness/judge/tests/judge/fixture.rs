//! Hand-built calls, memories and permits.

use std::sync::LazyLock;

use ptodiff_contract::{Broken, Enforced, OperandPermits, Permit, Permits, Run};
use ptodiff_enumerate::world::build::{self, matrix, packed};
pub(crate) use ptodiff_enumerate::world::build::{nz_tile, tile};
use ptodiff_isa::{
    Call, Clause, Coalesce, DType, Dim, GlobalTensor, Layout, Memory, Mgather, Mscatter,
    OobAccesses, Party, Region, Rejection, Role, ScatterAtomicOp, Schedule, Target, TargetReadings,
};
use ptodiff_judge::{
    Answer, CaseContext, Expect, Finding, PartyInput, Place, Ran, TargetVerdict, judge_target,
};

pub(crate) const STORED: Clause = Clause("MSCATTER-SEM-01");
pub(crate) const KEPT: Clause = Clause("MSCATTER-SEM-05");
pub(crate) const INPUT: Clause = Clause("MSCATTER-GAP-61");
pub(crate) const ANY_WRITER: Clause = Clause("MSCATTER-CONF-06");
pub(crate) const CHECK: Clause = Clause("MSCATTER-DTYPE-03");
pub(crate) const DUTY: Clause = Clause("MSCATTER-OOB-01");

/// Bytes of each guard zone.
pub(crate) const GUARD: usize = 8;

pub(crate) fn table(dtype: DType, shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
    GlobalTensor {
        stride: stride.map(Dim::Static),
        ..packed(dtype, shape, Layout::ND)
    }
}

/// Row mode into two rows of three elements, four elements apart.
pub(crate) fn scatter(dtype: DType, atomic: ScatterAtomicOp) -> Mscatter {
    Mscatter {
        atomic,
        ..build::scatter(
            table(dtype, [1, 1, 1, 2, 3], [8, 8, 8, 4, 1]),
            tile(dtype, [2, 8], [2, 3]),
            tile(DType::Int32, [1, 8], [1, 2]),
            Coalesce::Row,
        )
    }
}

/// A gather of two rows of three `half` elements into a padded tile.
pub(crate) fn gather() -> Mgather {
    build::gather(
        tile(DType::Half, [2, 16], [2, 3]),
        matrix(DType::Half, 4, 3),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Row,
    )
}

/// An operand of `len` bytes between guards, all bytes different from their neighbours.
pub(crate) fn region(role: Role, len: usize) -> Region {
    let pattern = (0..len + 2 * GUARD).map(|i| 0x20 + (i % 89) as u8);
    Region::new(role, pattern.collect(), GUARD..GUARD + len)
}

pub(crate) fn kept(role: Role, dtype: DType, by: Clause) -> OperandPermits {
    OperandPermits {
        role,
        dtype,
        runs: Vec::new(),
        kept: by,
        around: by,
        guards_free: None,
    }
}

/// The documents' own on every target.
static READINGS: LazyLock<TargetReadings> = LazyLock::new(TargetReadings::default);

/// A call, its operands before, what one target is promised and what it left.
pub(crate) struct Fixture {
    pub(crate) call: Call,
    pub(crate) before: Memory,
    pub(crate) permits: Permits,
    pub(crate) after: Memory,
}

impl Fixture {
    /// A scatter over [`scatter`]'s table, seven elements with the gap; no run yet.
    pub(crate) fn scatter(dtype: DType, atomic: ScatterAtomicOp) -> Self {
        let before = Memory {
            regions: vec![
                region(Role::Table, 7 * dtype.size()),
                region(Role::Source, 16 * dtype.size()),
                region(Role::Index, 32),
            ],
        };
        let permits = Permits {
            operands: vec![
                kept(Role::Table, dtype, KEPT),
                kept(Role::Source, dtype, INPUT),
                kept(Role::Index, DType::Int32, INPUT),
            ],
            pool: Vec::new(),
            oob_accesses: None,
        };
        Self {
            call: Call::Mscatter(scatter(dtype, atomic)),
            after: before.clone(),
            before,
            permits,
        }
    }

    /// Both rows of an `int32_t` table stored, exactly and as permitted.
    pub(crate) fn stored() -> Self {
        let mut fixture = Self::scatter(DType::Int32, ScatterAtomicOp::None);
        for (offset, row) in [(0, [1, -2, 3]), (16, [4, 5, -6])] {
            let bytes = ints(&row);
            fixture.exactly(offset, &bytes);
            fixture.write(offset, &bytes);
        }
        fixture
    }

    /// A gather whose destination is exact where valid and free in the first padding slot.
    pub(crate) fn gathered() -> Self {
        let before = Memory {
            regions: vec![
                region(Role::Destination, 64),
                region(Role::Table, 24),
                region(Role::Index, 32),
            ],
        };
        let mut fixture = Self {
            call: Call::Mgather(gather()),
            after: before.clone(),
            before,
            permits: Permits {
                operands: vec![
                    kept(Role::Destination, DType::Half, Clause("MGATHER-GAP-18")),
                    kept(Role::Table, DType::Half, Clause("MGATHER-GAP-50")),
                    kept(Role::Index, DType::Int32, Clause("MGATHER-GAP-50")),
                ],
                pool: Vec::new(),
                oob_accesses: None,
            },
        };
        for (offset, row) in [(0, [1, 2, 3, 4, 5, 6]), (32, [7, 8, 9, 10, 11, 12])] {
            fixture.exactly(offset, &row);
            fixture.write(offset, &row);
            fixture.run(offset + 6, 2, Permit::Anything, Clause("MGATHER-GAP-18"));
        }
        fixture
    }

    /// Adds a run over the output, which is the first operand.
    pub(crate) fn run(&mut self, offset: usize, len: usize, permit: Permit, clause: Clause) {
        self.permits.operands[0].runs.push(Run {
            offset,
            len,
            permit,
            clause,
            freedom: None,
            or_kept: None,
        });
    }

    /// Appends bytes to the pool and says where.
    pub(crate) fn pooled(&mut self, bytes: &[u8]) -> usize {
        let at = self.permits.pool.len();
        self.permits.pool.extend_from_slice(bytes);
        at
    }

    pub(crate) fn exactly(&mut self, offset: usize, bytes: &[u8]) {
        let at = self.pooled(bytes);
        self.run(offset, bytes.len(), Permit::Exactly { at }, STORED);
    }

    pub(crate) fn one_of(&mut self, offset: usize, images: &[&[u8]]) {
        let at = self.pooled(&images.concat());
        let count = images.len();
        let permit = Permit::OneOf { at, count };
        self.run(offset, images[0].len(), permit, ANY_WRITER);
    }

    pub(crate) fn between(&mut self, offset: usize, low: &[u8], high: &[u8]) {
        self.between_or(offset, low, high, &[]);
    }

    /// Between two bounds, or one of these.
    pub(crate) fn between_or(&mut self, offset: usize, low: &[u8], high: &[u8], more: &[&[u8]]) {
        let permit = Permit::Between {
            low: self.pooled(low),
            high: self.pooled(&[&[high], more].concat().concat()),
            more: more.len(),
            wide: false,
        };
        self.run(offset, low.len(), permit, Clause("MSCATTER-ATOM-20"));
    }

    /// Writes into the output, which is the first operand.
    pub(crate) fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.after.regions[0].body_mut()[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// The same fixture after other bytes were written.
    pub(crate) fn but(mut self, offset: usize, bytes: &[u8]) -> Self {
        self.write(offset, bytes);
        self
    }

    pub(crate) fn ran(&self) -> Ran {
        Ran {
            memory: self.after.clone(),
            oob_accesses: OobAccesses::default(),
            inputs_changed: Vec::new(),
            schedule: Schedule::InOrder,
        }
    }

    pub(crate) fn answer(&self) -> Answer {
        Answer::Ran(self.ran())
    }

    pub(crate) fn context(&self) -> CaseContext<'_> {
        CaseContext {
            call: &self.call,
            before: &self.before,
            steps: std::slice::from_ref(&self.before),
            brief: false,
            readings: &READINGS,
        }
    }

    pub(crate) fn input<'a>(&'a self, target: Target, answers: &'a [Answer]) -> PartyInput<'a> {
        PartyInput {
            party: party(target),
            legality: &[],
            preconditions: &[],
            hangs: None,
            permits: Some(&self.permits),
            answers,
            expect: Expect::NOTHING,
        }
    }

    /// The verdict on these answers, with nothing broken and nothing expected.
    pub(crate) fn judge(&self, answers: &[Answer]) -> TargetVerdict {
        judge_target(&self.context(), &self.input(Target::A5, answers))
    }

    /// The same where something else is said of the target or expected of it.
    pub(crate) fn judge_but<'a>(
        &'a self,
        change: impl FnOnce(&mut PartyInput<'a>),
        answers: &'a [Answer],
    ) -> TargetVerdict {
        let mut input = self.input(Target::A5, answers);
        change(&mut input);
        judge_target(&self.context(), &input)
    }

    /// The verdict on what was left.
    pub(crate) fn verdict(&self) -> TargetVerdict {
        self.judge(&[self.answer()])
    }
}

/// A target running the case as it stands.
pub(crate) fn party(target: Target) -> &'static Party {
    static ALL: [Party; 3] = [
        Party::of(Target::Cpu),
        Party::of(Target::A2a3),
        Party::of(Target::A5),
    ];
    &ALL[target as usize]
}

pub(crate) fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub(crate) fn broken(clause: Clause, enforced: Enforced) -> Broken {
    Broken {
        clause,
        also: Vec::new(),
        enforced,
        why: "as found".to_owned(),
    }
}

pub(crate) fn rejected(clause: Clause) -> Answer {
    Answer::Rejected(vec![Rejection {
        clause,
        why: "as checked".to_owned(),
    }])
}

/// The findings of a violation.
#[track_caller]
pub(crate) fn findings(verdict: TargetVerdict) -> Vec<Finding> {
    match verdict {
        TargetVerdict::Violates { findings, .. } => findings,
        other => panic!("no violation: {other:?}"),
    }
}

/// Where each of them is, and by which clause.
pub(crate) fn places_of(findings: &[Finding]) -> Vec<(Place, Option<Clause>)> {
    findings.iter().map(|f| (f.place, f.clause)).collect()
}

#[track_caller]
pub(crate) fn conforms(verdict: &TargetVerdict) {
    assert!(
        matches!(verdict, TargetVerdict::Conforms { .. }),
        "{verdict:?}"
    );
}
