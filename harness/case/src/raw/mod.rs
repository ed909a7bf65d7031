//! A case file as written: what serde reads and what the JSON Schema is made from.
//!
//! A key that may be absent is an `Option`. One that is there has a value: an
//! empty one is a mistake, which the reader of the tree sees to. No flattening
//! and no untagged or internally tagged enums: they lose spans. The doc comments
//! of these files are what editors show.

mod data;
mod expect;
mod operand;
mod selection;

use ptodiff_isa::{
    CacheFlush, Coalesce, DType, Dispatch, GatherExec, GatherOob, Instruction, MaskAxis,
    MaskPattern, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use data::{RawFill, RawPattern, RawRows};
pub(crate) use expect::{RawExpect, RawSlots, RawSpelled, RawTokens, RawTrace};
pub(crate) use operand::{
    NoScratch, RawIndex, RawScratch, RawTensor, RawTile, TensorKeys, TileKeys,
};
pub(crate) use selection::{Clauses, RawExpectations, RawReadings};

use crate::form::Revision;
use crate::word::{CaseName, ClauseId, Count, EitherOf, HoleText, OneOf, Prose, Word};
use crate::yaml::Located;

/// One value with its place.
pub(crate) type Value<K> = Located<Word<K>>;
/// A list with its place and those of its entries.
pub(crate) type List<K> = Located<Vec<Value<K>>>;

/// A file of cases for ptodiff.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CaseFile")]
pub(crate) struct RawFile {
    /// The ST suite that these cases mirror, if they mirror one.
    pub(crate) suite: Option<Value<OneOf<Target>>>,
    /// Keys of a case, for every case of the file that does not give its own.
    pub(crate) defaults: Option<Located<RawCase>>,
    /// The cases.
    pub(crate) cases: Located<Vec<Located<RawCase>>>,
}

/// One instruction with its operands, policies, data and what is expected of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Case")]
pub(crate) struct RawCase {
    /// Unique in its file; as the ST suite has it where the case mirrors one.
    pub(crate) name: Option<Value<CaseName>>,
    /// A line about the case, for people.
    pub(crate) about: Option<Value<Prose>>,
    /// The instruction.
    pub(crate) instruction: Option<Value<OneOf<Instruction>>>,
    /// Which revision of MSCATTER. current unless given.
    pub(crate) revision: Option<Value<OneOf<Revision>>>,
    /// What one index selects: a row or an element (current MSCATTER, MGATHER). Row unless given.
    pub(crate) mode: Option<Value<OneOf<Coalesce>>>,
    /// How values combine (MSCATTER). None unless given.
    pub(crate) atomic: Option<Value<OneOf<ScatterAtomicOp>>>,
    /// Out-of-bounds policy: Undefined, Skip, Clamp, Wrap for MSCATTER;
    /// Undefined, Clamp, Wrap, Zero for MGATHER. Undefined unless given.
    pub(crate) oob: Option<Value<EitherOf<ScatterOob, GatherOob>>>,
    /// Which of several plain writers survives (current MSCATTER). Last unless given.
    pub(crate) conflict: Option<Value<OneOf<ScatterConflict>>>,
    /// Who collects the elements (MGATHER to L1). Scalar unless given.
    pub(crate) exec: Option<Value<OneOf<GatherExec>>>,
    /// Which lane of each group takes the source element: makes TSCATTER scatter by mask.
    pub(crate) mask: Option<Value<OneOf<MaskPattern>>>,
    /// Along which axis the groups of a mask lie. Row unless given.
    pub(crate) axis: Option<Value<OneOf<MaskAxis>>>,
    /// Element type of every operand but the index.
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// The tile that carries data of MSCATTER and MGATHER: source of a
    /// scatter, destination of a gather. `location: Mat` makes MGATHER gather to L1.
    pub(crate) tile: Option<Located<RawTile<RawFill>>>,
    /// The indices: a tile, or for MGATHER to L1 a tensor in GM. Their dtype
    /// is int32_t unless given.
    pub(crate) index: Option<Located<RawIndex>>,
    /// The tensor in GM that MSCATTER writes and MGATHER reads.
    pub(crate) table: Option<Located<RawTensor<RawFill>>>,
    /// Staging area in GM of MGATHER to L1, or `none`. In Elem mode as large
    /// as the tile, in Row mode none unless given.
    pub(crate) scratch: Option<Located<RawScratch>>,
    /// The tile that TSCATTER and TGATHERB read.
    pub(crate) source: Option<Located<RawTile<RawFill>>>,
    /// The tile that TSCATTER and TGATHERB write. As large as the source, or
    /// as the mask makes it, unless given.
    pub(crate) destination: Option<Located<RawTile<RawFill>>>,
    /// The byte offsets of TGATHERB. Their dtype is uint32_t unless given.
    pub(crate) offset: Option<Located<RawTile<RawPattern>>>,
    /// How the kernel was launched (MSCATTER, MGATHER).
    pub(crate) launch: Option<Located<RawLaunch>>,
    /// How often the call is issued, each time with the next part of the data,
    /// on one table: 1 to 4096. 1 unless given.
    pub(crate) chunks: Option<Value<Count>>,
    /// Added to the run's seed, to draw other data of the same kind. 0 unless given.
    pub(crate) seed: Option<Value<Count>>,
    /// The targets it runs on. All unless given; a5 for MSCATTER's first revision.
    pub(crate) targets: Option<List<OneOf<Target>>>,
    /// Answers to gaps of the documents that are in force for this case.
    pub(crate) readings: Option<Located<RawReadings>>,
    /// Targets that must reject the call, and by which clauses.
    pub(crate) rejected: Option<Located<RawExpectations>>,
    /// Targets that are promised nothing, and by which clauses.
    pub(crate) undefined: Option<Located<RawExpectations>>,
    /// Targets that must wait forever, and by which clauses.
    pub(crate) hangs: Option<Located<RawExpectations>>,
    /// Clauses that the case covers: it fails where one of them is broken.
    pub(crate) covers: Option<Located<Clauses>>,
    /// The gap whose readings the case distinguishes.
    pub(crate) gap: Option<Value<ClauseId>>,
    /// The holes that the case shows, as `ptodiff hunt` prints them: kind,
    /// targets, clauses, place.
    pub(crate) holes: Option<List<HoleText>>,
    /// What must be found, worked out by hand.
    pub(crate) expect: Option<Located<Vec<Located<RawExpect>>>>,
    /// Why the name and the case say different things, where they do.
    pub(crate) name_differs: Option<Value<Prose>>,
}

/// How the kernel was launched.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Launch")]
pub(crate) struct RawLaunch {
    /// dynUBufSize in bytes; nullptr unless given.
    pub(crate) dyn_ub: Option<Value<Count>>,
    /// How the kernel is entered. Standard unless given.
    pub(crate) dispatch: Option<Value<OneOf<Dispatch>>>,
    /// Whether the wrapper of a scatter flushes the data cache. Appended unless given.
    pub(crate) flush: Option<Value<OneOf<CacheFlush>>>,
}
