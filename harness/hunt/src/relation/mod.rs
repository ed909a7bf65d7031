//! Relations: what every model owes by itself, whatever the contract says.
//!
//! A relation runs a case and a counterpart of it (other indices that select
//! the same, lanes in another order, another layout) on one model and compares
//! the two results. It does not know the models, and of the contract no value: only
//! whether a call is legal, and of which slots it says what they hold.
//!
//! A relation says nothing of a call that breaks a rule of its target, the
//! caller's preconditions included, nor where a clause leaves the bits in question
//! open: an index out of bounds under Undefined (MSCATTER-OOB-03,
//! MGATHER-OOB-02, TSCATTER-OOB-01), a negative one under
//! `negative-index=signed` (MSCATTER-GAP-01), a table that the host may read
//! before it was written back (MSCATTER-CACHE-02), writers of one slot in no
//! order (MSCATTER-CONF-06, MSCATTER0-GAP-02, TSCATTER-CONF-02), sums whose
//! order is open (MSCATTER-ATOM-22), NaN and zeros in atomics (MSCATTER-GAP-03,
//! -04, -81), columns that an NZ burst of A2/A3 may write besides
//! (MSCATTER-GAP-22). In a gather, an index that spoils its own lane only
//! (TGATHERB-OOB-01, `undefined-gather=slots`) takes that lane out of the
//! comparison; so it is with padding that may hold anything (MGATHER-GAP-18).

mod chunks;
mod equivalent;
mod expansion;
mod lanes;
mod reach;
mod readback;
mod relayout;
mod trial;

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Memory, Model, Target};

use trial::ModelCase;

/// What a relation finds: none where it says nothing of the call.
type Finding = Option<Result<(), String>>;

/// A property that relates the results of two calls. All but
/// [`Relation::Chunks`] look at the first call of a case.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Relation {
    /// A scatter without an atomic, then a gather through the same indices:
    /// each lane whose slot no other lane selects gets its source element
    /// back (MSCATTER-SEM-10, MSCATTER0-SEM-03), and a lane that Skip dropped
    /// a zero under Zero. TSCATTER has no gather: its slots are looked at.
    Readback,
    /// The lanes in the opposite order, indices and source together: the same
    /// table, and a gather's destination in the opposite order. Of a scatter
    /// only where the order of lanes does not count: distinct slots, or
    /// atomics that commute (Max, Min, integer Add that wraps).
    Permutation,
    /// A Row call equals the Elem call with index `row * width + column` for
    /// every element. Where an index is out of bounds that product is taken
    /// as far as the policy treats both alike (Wrap over a whole number of
    /// rows, Skip and Zero where both are outside); else, and always under
    /// Clamp, the remapped row is. Nothing is said of tables with padded rows
    /// (MSCATTER-GAP-18, MGATHER-GAP-07) nor of integer Add under
    /// `add-overflow=mte3-saturates` on A2/A3 (MSCATTER-GAP-05).
    Expansion,
    /// The chunks of a scatter stacked into one call, and a single call split
    /// into two by rows, leave the same table (MSCATTER-CHUNK-02, -04). Where
    /// lanes share a slot, only if the later row is the later writer: not
    /// under `nz-elem-order=walk` nor by storage order of ColMajor tiles
    /// (MSCATTER-GAP-08, -72).
    Chunks,
    /// Under Wrap, capacities added to an index change nothing
    /// (MSCATTER-OOB-09, -10, MGATHER-OOB-05).
    Period,
    /// Under Clamp, indices may be clamped before the call, and Undefined then
    /// does the same (MSCATTER-OOB-07, -08, -11, MGATHER-OOB-04, -08); on CPU
    /// offsets of TGATHERB too (TGATHERB-OOB-02).
    Clamped,
    /// A call on an NZ table and an NZ tile of A2/A3 equals the one on their
    /// logical contents by rows, and a gather to L1 the one to UB
    /// (MGATHERL1-OOB-01), where their capacities are equal and lanes that
    /// share a slot do so in the same order (MSCATTER-GAP-08).
    Relayout,
    /// Both executors of an Elem gather to L1 deliver the same
    /// (MGATHERL1-EXEC-05), padding included where both zero it.
    Executor,
    /// On A5 every schedule leaves the same, where the result owes nothing to
    /// it. The other targets have one order only.
    Schedules,
}

impl Relation {
    /// Whether the relation can bind calls of `form` on `target`, under some reading.
    #[must_use]
    pub const fn speaks_of(self, form: Form, target: Target) -> bool {
        let scatter = matches!(form, Form::Mscatter)
            || matches!((form, target), (Form::MscatterFirst, Target::A5));
        let in_gm = scatter || matches!(form, Form::Mgather | Form::MgatherL1);
        match self {
            Self::Readback => scatter || matches!(form, Form::TscatterIndex),
            Self::Permutation => in_gm || matches!(form, Form::TscatterIndex | Form::Tgatherb),
            Self::Expansion | Self::Period => in_gm,
            Self::Chunks => scatter,
            Self::Clamped => in_gm || matches!((form, target), (Form::Tgatherb, Target::Cpu)),
            Self::Relayout => matches!(
                (form, target),
                (Form::Mscatter | Form::Mgather, Target::A2a3) | (Form::MgatherL1, _)
            ),
            Self::Executor => {
                matches!((form, target), (Form::MgatherL1, Target::Cpu | Target::A5))
            }
            Self::Schedules => matches!(target, Target::A5),
        }
    }
}

/// Whether `model` keeps `relation` on `case`, and the memory before each time its call
/// is issued, the later ones without what lasts ([`ptodiff_generate::Stimulus`]).
///
/// None where the relation says nothing of the case, also where memory lacks
/// an operand; otherwise, where it is broken, in one line the slot and both
/// values.
#[must_use]
pub fn check(
    relation: Relation,
    model: &dyn Model,
    case: &Case,
    steps: &[Memory],
) -> Option<Result<(), String>> {
    let (call, target) = (&case.call, model.target());
    if !relation.speaks_of(Form::of(call), target) {
        return None;
    }
    let base = ModelCase {
        model,
        target,
        call,
        steps,
        readings: &case.readings[target],
    };
    match relation {
        Relation::Readback => readback::check(&base),
        Relation::Permutation => equivalent::permutation(&base),
        Relation::Expansion => expansion::check(&base),
        Relation::Chunks => chunks::check(&base),
        Relation::Period => equivalent::period(&base),
        Relation::Clamped => equivalent::clamped(&base),
        Relation::Relayout => relayout::check(&base),
        Relation::Executor => equivalent::executor(&base),
        Relation::Schedules => equivalent::schedules(&base),
    }
}
