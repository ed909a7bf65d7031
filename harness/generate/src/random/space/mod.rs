//! Cases of a fixed set of instantiations: a program has compiled types and
//! policies in, and takes extents, strides, launch and data at run time.

mod legal;
mod oob_access;
mod parts;

use std::collections::HashSet;

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{Call, Dim, Dispatch, Operand, Readings, Target};

use super::choices::Choices;
use super::context::DrawContext;
use super::data::{Use, chunks, forget_absent, launch, plan};
use super::{Form, MOST_LANES, Rules, blank, index};

use parts::{TENSORS, TILES, set};

/// Bytes that what is fixed of a call may take, so that a hunt holds many of them.
const MOST_BYTES: u64 = 16 << 20;

/// Why there is nothing to draw from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSpace {
    /// No call is given.
    Empty,
    /// The tiles of a call, and its tables of fixed extents, take more bytes than this.
    Large(u64),
    /// An operand of a call has an extent that is 0 whatever is known at run time.
    Void,
}

impl std::fmt::Display for NoSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no instantiation to draw from"),
            Self::Void => f.write_str("an instantiation has an operand without elements"),
            Self::Large(most) => write!(
                f,
                "an instantiation has tiles and fixed tables of more than {} MiB",
                most >> 20
            ),
        }
    }
}

impl std::error::Error for NoSpace {}

/// Calls that differ in what is fixed at compile time. Cases are drawn of
/// these, each dynamic extent and stride anew; what is static stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    target: Target,
    readings: Readings,
    calls: Vec<Call>,
    held: HashSet<Call>,
}

impl Space {
    /// The instantiations of `calls` on `target`, whose gaps are read as
    /// `readings` say. Of two calls with the same static parts one counts.
    ///
    /// # Errors
    /// No call, or one with an operand that is always empty, or with tiles and fixed tables of
    /// more than 16 MiB.
    pub fn new(
        target: Target,
        readings: Readings,
        calls: impl IntoIterator<Item = Call>,
    ) -> Result<Self, NoSpace> {
        let mut held = HashSet::new();
        let mut own = Vec::new();
        for call in calls {
            if call
                .operands()
                .into_iter()
                .any(|(_, operand)| is_void(operand))
            {
                return Err(NoSpace::Void);
            }
            let bytes = call.operands().into_iter().map(|(_, operand)| {
                let elements = match operand {
                    Operand::Tile(tile) => tile.rows.saturating_mul(tile.cols),
                    // What is not fixed is drawn.
                    Operand::Tensor(tensor) => {
                        let fixed = tensor.shape.into_iter().filter_map(Dim::known);
                        fixed.fold(1, u64::saturating_mul)
                    }
                };
                elements.saturating_mul(operand.dtype().size() as u64)
            });
            if bytes.fold(0, u64::saturating_add) > MOST_BYTES {
                return Err(NoSpace::Large(MOST_BYTES));
            }
            if held.insert(fixed(call)) {
                own.push(call);
            }
        }
        if own.is_empty() {
            return Err(NoSpace::Empty);
        }
        Ok(Self {
            target,
            readings,
            calls: own,
            held,
        })
    }

    /// Whether `call` is one of the instantiations, whatever its dynamic parts.
    #[must_use]
    pub fn holds(&self, call: &Call) -> bool {
        self.held.contains(&fixed(*call))
    }

    /// How many instantiations there are.
    #[must_use]
    pub const fn instantiations(&self) -> usize {
        self.calls.len()
    }

    /// The target that the cases have.
    #[must_use]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// A case of one of the instantiations, each as likely as the others, with
    /// at most `max_lanes` elements in the data tile's valid region unless its
    /// extents are fixed.
    ///
    /// It keeps to `rules` as far as dynamic parts and data reach: what an
    /// instantiation breaks by its types alone it breaks in all of its cases.
    /// The case has no name.
    pub fn draw(&self, choices: &mut impl Choices, rules: Rules, max_lanes: u64) -> Case {
        let mut call = choices.pick(&self.calls);
        let context = self.context(Form::of(&call), max_lanes);
        legal::settle(choices, &context, &mut call);
        launch(choices, &context, &mut call);
        if let Some(launch) = call.launch_mut() {
            // A program has only this way.
            launch.dispatch = Dispatch::Standard;
        }
        let chunks = chunks(choices, &call);
        let indices = match rules {
            Rules::Legal => false,
            Rules::Broken(count) => oob_access::some(choices, &mut call, count),
            Rules::Wild => oob_access::all(choices, &mut call),
        };
        let index = match call {
            Call::TscatterMask(_) => IndexPattern::Random,
            _ if indices => oob_access::pattern(choices),
            _ => index::legal(choices, &context, (&call, chunks), false),
        };
        let data = plan(choices, Use::of(&call), index);
        let mut case = blank();
        (case.call, case.chunks, case.data) = (call, chunks, data);
        case.targets.clear();
        case.targets.push(self.target);
        case.readings = self.readings.into();
        forget_absent(&mut case);
        case
    }

    fn context(&self, form: Form, max_lanes: u64) -> DrawContext {
        let is = |target| self.target == target;
        let has = [is(Target::Cpu), is(Target::A2a3), is(Target::A5)];
        DrawContext {
            form,
            cpu: has[0],
            a2a3: has[1],
            a5: has[2],
            wished: has,
            readings: self.readings,
            lanes: max_lanes.clamp(1, MOST_LANES),
        }
    }
}

/// Whether an extent of `operand` is fixed to be 0.
fn is_void(operand: Operand<'_>) -> bool {
    match operand {
        Operand::Tile(tile) => {
            let valid = [tile.valid_row, tile.valid_col].map(Dim::known);
            [tile.rows, tile.cols].contains(&0) || valid.contains(&Some(0))
        }
        Operand::Tensor(tensor) => tensor.shape.map(Dim::known).contains(&Some(0)),
    }
}

/// All that is static of `call`.
fn fixed(mut call: Call) -> Call {
    for role in TILES {
        if let Some(tile) = call.tile_mut(role) {
            set(&mut tile.valid_row, 0);
            set(&mut tile.valid_col, 0);
        }
    }
    for role in TENSORS {
        if let Some(tensor) = call.tensor_mut(role) {
            let dims = tensor.shape.iter_mut().chain(&mut tensor.stride);
            dims.for_each(|dim| set(dim, 0));
        }
    }
    if let Some(launch) = call.launch_mut() {
        *launch = ptodiff_isa::Launch::default();
    }
    call
}
