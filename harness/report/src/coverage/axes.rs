//! Which combinations of parameters the cases try: instruction, mode, dtype,
//! policy, layout, target.

use std::collections::BTreeMap;

use ptodiff_isa::{
    BLayout, Coalesce, DType, GatherExec, GatherOob, Instruction, Layout, MaskAxis, MaskPattern,
    Party, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
};
use ptodiff_record::{CaseRecord, TargetVerdict};
use serde::Serialize;
use strum::{VariantArray, VariantNames};

/// A parameter of a call: its name in a record and its values.
type Axis = (&'static str, &'static [&'static str]);

/// A form of an instruction and the parameters that its calls differ in.
struct Form {
    name: &'static str,
    targets: &'static [Target],
    axes: &'static [Axis],
}

const fn names<T: VariantNames>() -> &'static [&'static str] {
    T::VARIANTS
}

const ALL: &[Target] = <Target as VariantArray>::VARIANTS;
const MODE: Axis = ("mode", names::<Coalesce>());
const DTYPE: Axis = ("dtype", names::<DType>());
const ATOMIC: Axis = ("atomic", names::<ScatterAtomicOp>());
const SCATTER_OOB: Axis = ("oob", names::<ScatterOob>());
const GATHER_OOB: Axis = ("oob", names::<GatherOob>());
const LAYOUT: Axis = ("layout", names::<Layout>());
const BLAYOUT: Axis = ("blayout", names::<BLayout>());

const FORMS: [Form; 7] = [
    Form {
        name: "MSCATTER",
        targets: ALL,
        axes: &[
            MODE,
            DTYPE,
            ATOMIC,
            SCATTER_OOB,
            ("conflict", names::<ScatterConflict>()),
            LAYOUT,
            BLAYOUT,
        ],
    },
    Form {
        name: "MSCATTER, first revision",
        targets: &[Target::A5],
        axes: &[DTYPE, ATOMIC, SCATTER_OOB, BLAYOUT],
    },
    Form {
        name: "MGATHER",
        targets: ALL,
        axes: &[MODE, DTYPE, GATHER_OOB, LAYOUT, BLAYOUT],
    },
    Form {
        name: "MGATHER to L1",
        targets: ALL,
        axes: &[
            MODE,
            DTYPE,
            GATHER_OOB,
            ("exec", names::<GatherExec>()),
            LAYOUT,
        ],
    },
    Form {
        name: "TSCATTER",
        targets: ALL,
        axes: &[DTYPE, ("index dtype", names::<DType>()), BLAYOUT],
    },
    Form {
        name: "TSCATTER by mask",
        targets: ALL,
        axes: &[
            ("mask", names::<MaskPattern>()),
            ("axis", names::<MaskAxis>()),
            DTYPE,
            BLAYOUT,
        ],
    },
    Form {
        name: "TGATHERB",
        targets: ALL,
        axes: &[DTYPE, BLAYOUT],
    },
];

/// The form of the instruction that a case calls.
fn form(case: &CaseRecord) -> &'static str {
    let has = |key: &str| case.call.contains_key(key);
    match case.instruction {
        Instruction::Mscatter if has("revision") => "MSCATTER, first revision",
        Instruction::Mscatter => "MSCATTER",
        Instruction::Mgather if has("exec") => "MGATHER to L1",
        Instruction::Mgather => "MGATHER",
        Instruction::Tscatter if has("mask") => "TSCATTER by mask",
        Instruction::Tscatter => "TSCATTER",
        Instruction::Tgatherb => "TGATHERB",
    }
}

/// What came of a combination: the most that any case made of it.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum Came {
    /// No case has it.
    #[default]
    Never,
    /// Accepted, and nothing was promised.
    Undefined,
    /// Rejected.
    Rejected,
    /// It never returned.
    Hung,
    /// It ran, and what it left was held against a promise.
    Ran,
}

/// One combination of parameters on one target.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Combination {
    /// Form of the instruction.
    pub form: &'static str,
    /// Target.
    pub target: Target,
    /// Parameters, each with its value.
    pub parameters: Vec<(&'static str, &'static str)>,
    /// What came of it.
    pub came: Came,
    /// Cases that have it.
    pub cases: usize,
}

/// Every combination of parameters of every form on every target, in order.
#[must_use]
pub fn combinations(cases: &[CaseRecord]) -> Vec<Combination> {
    let mut all = Vec::new();
    for of in &FORMS {
        let those: Vec<&CaseRecord> = cases.iter().filter(|c| form(c) == of.name).collect();
        for target in of.targets {
            let tried = tried(of, *target, &those);
            let mut values = vec![0; of.axes.len()];
            loop {
                let (came, cases) = tried.get(&values).copied().unwrap_or_default();
                let named = of.axes.iter().zip(&values);
                all.push(Combination {
                    form: of.name,
                    target: *target,
                    parameters: named.map(|((name, all), at)| (*name, all[*at])).collect(),
                    came,
                    cases,
                });
                if !advance(&mut values, of.axes) {
                    break;
                }
            }
        }
    }
    all
}

/// The combinations that cases have, by the numbers of their values.
fn tried(of: &Form, target: Target, cases: &[&CaseRecord]) -> BTreeMap<Vec<usize>, (Came, usize)> {
    let mut tried: BTreeMap<Vec<usize>, (Came, usize)> = BTreeMap::new();
    for case in cases {
        let Some(record) = case.targets.get(&Party::of(target)) else {
            continue;
        };
        let value = |(name, values): &Axis| {
            let value = case.call.get(*name)?;
            values.iter().position(|v| v == value)
        };
        let Some(values) = of.axes.iter().map(value).collect::<Option<Vec<usize>>>() else {
            continue;
        };
        let came = match record.verdict {
            TargetVerdict::Conforms | TargetVerdict::Violates => Came::Ran,
            TargetVerdict::Rejected => Came::Rejected,
            TargetVerdict::Undefined => Came::Undefined,
            TargetVerdict::Hangs => Came::Hung,
            // Only implementations say so, and they are no target's column.
            TargetVerdict::Unsupported => continue,
        };
        let entry = tried.entry(values).or_default();
        *entry = (entry.0.max(came), entry.1 + 1);
    }
    tried
}

/// The next combination, the last axis fastest; false after the last one.
fn advance(values: &mut [usize], axes: &[Axis]) -> bool {
    for (value, (_, all)) in values.iter_mut().zip(axes).rev() {
        *value += 1;
        if *value < all.len() {
            return true;
        }
        *value = 0;
    }
    false
}
