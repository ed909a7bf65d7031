//! The format of a case file: what its reader checks, and what its JSON Schema is made from.
//!
//! The comments at keys are what editors show.

use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    BLayout, CacheFlush, Coalesce, DType, Dispatch, GatherExec, GatherOob, Instruction, Layout,
    MaskAxis, MaskPattern, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, TileType,
};
use serde_json::{Map as Object, Value as Json, json};
use strum::VariantNames;

use crate::expect::ExpectedOutcome;
use crate::form::Revision;
use crate::limits::MAX_CHUNKS;
use crate::yaml::{Definitions, Shape, keys};
use Shape::{Entries, List, Map, Named, Nothing, Or, Pairs, Way, Word};

/// What stands in place of a scratch operand that is not there.
#[derive(Clone, Copy, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum NoScratch {
    /// The call has three operands.
    None,
}

/// One of the names of `T`.
fn name<T: VariantNames>() -> Json {
    json!({ "type": "string", "enum": T::VARIANTS })
}

/// A whole number, 0 or more.
const COUNT: Shape = Word(|| json!({ "type": "integer", "minimum": 0 }));
/// A whole number, 1 or more.
const MANY: Shape = Word(|| json!({ "type": "integer", "minimum": 1 }));
/// An extent or stride: a static one as a plain number, a dynamic one as `dyn 9`.
const EXTENT: Shape = Word(|| {
    json!({ "oneOf": [
        { "type": "integer", "minimum": 0 },
        { "type": "string", "pattern": "^dyn +[0-9]+$" }
    ] })
});
/// An element's value, the bits of one, or what it holds.
const LITERAL: Shape = Word(|| json!({ "type": ["number", "string"] }));
/// The number of a clause.
const CLAUSE: Shape =
    Word(|| json!({ "type": "string", "pattern": "^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+-[0-9]+$" }));
/// A name of at most 200 characters.
const CASE_NAME: Shape = Word(|| json!({ "type": "string", "minLength": 1, "maxLength": 200 }));
/// A hole: kind, targets, clauses, place.
const HOLE: Shape =
    Word(|| json!({ "type": "string", "pattern": "^[a-z-]+ [a-z0-9/]+ [A-Z0-9+-]+ [a-z-]+$" }));
/// A line for people.
const PROSE: Shape = Word(|| json!({ "type": "string" }));
/// A text that is not empty: a file below the folder of the case file, or one with `*` for
/// any text.
pub(crate) const TEXT: Shape = Word(|| json!({ "type": "string", "minLength": 1 }));
/// The letter of a gap's reading.
const ANSWER: Shape = Word(|| json!({ "type": "string", "pattern": "^[a-z]$" }));
/// Of MSCATTER or of MGATHER; which, the instruction decides.
const OOB: Shape = Word(|| {
    let own = <ScatterOob as VariantNames>::VARIANTS;
    let others = <GatherOob as VariantNames>::VARIANTS.iter();
    let others = others.filter(|name| !own.contains(name));
    json!({ "type": "string", "enum": own.iter().chain(others).collect::<Vec<_>>() })
});

/// One or more.
const SOME: Option<[usize; 2]> = Some([1, usize::MAX]);

const A_TILE: &str = "A tile operand.";

/// The keys of a tile whose data is asked for so.
macro_rules! tile {
    ($data:expr) => {
        Map(
            keys! {
                /// Element type, where it differs from the default.
                "dtype": Word(name::<DType>),
                /// Padded rows and columns, always static, at least 1.
                "shape": List(&COUNT, Some([2, 2])),
                /// Valid rows and columns. The shape unless given.
                "valid": List(&EXTENT, Some([2, 2])),
                /// Order of elements or boxes. RowMajor unless given, ColMajor in L1.
                "blayout": Word(name::<BLayout>),
                /// Order inside a box. NoneBox unless given, RowMajor in L1.
                "slayout": Word(name::<SLayout>),
                /// Bytes of a box. 512 unless given.
                "fractal": MANY,
                /// The memory it stands in. Vec unless given.
                "location": Word(name::<TileType>),
                /// How its data is made.
                "data": $data,
            },
            &[],
        )
    };
}

/// A file of cases.
pub(crate) static FILE: Shape = Named(
    "CaseFile",
    "A file of cases for ptodiff.",
    &Map(
        keys! {
            /// The ST suite that these cases mirror, if they mirror one.
            "suite": Word(name::<Target>),
            /// Keys of a case, for every case of the file that does not give its own.
            "defaults": CASE,
            /// The cases.
            "cases": Entries(&CASE),
        },
        &["cases"],
    ),
);

/// Keys that a case never has from `defaults`.
pub(crate) const OWN_ALONE: [&str; 5] = ["name", "covers", "gap", "holes", "expect"];

const CASE: Shape = Named(
    "Case",
    "One instruction with its operands, policies, data and what is expected of it.",
    &Map(
        keys! {
            /// Unique in its file; as the ST suite has it where the case mirrors one.
            "name": CASE_NAME,
            /// A line about the case, for people.
            "about": PROSE,
            /// The instruction.
            "instruction": Word(name::<Instruction>),
            /// Which revision of MSCATTER. current unless given.
            "revision": Word(name::<Revision>),
            /// What one index selects: a row or an element (current MSCATTER, MGATHER). Row unless
            /// given, and Elem of MGATHER to L1 with a scratch.
            "mode": Word(name::<Coalesce>),
            /// How values combine (MSCATTER). None unless given.
            "atomic": Word(name::<ScatterAtomicOp>),
            /// Out-of-bounds policy: Undefined, Skip, Clamp, Wrap for MSCATTER;
            /// Undefined, Clamp, Wrap, Zero for MGATHER. Undefined unless given.
            "oob": OOB,
            /// Which of several plain writers survives (current MSCATTER). Last unless given.
            "conflict": Word(name::<ScatterConflict>),
            /// Who collects the elements (MGATHER to L1). Scalar unless given.
            "exec": Word(name::<GatherExec>),
            /// Which lane of each group takes the source element: makes TSCATTER scatter by mask.
            "mask": Word(name::<MaskPattern>),
            /// Along which axis the groups of a mask lie. Row unless given.
            "axis": Word(name::<MaskAxis>),
            /// Element type of every operand but the index.
            "dtype": Word(name::<DType>),
            /// The tile that carries data of MSCATTER and MGATHER: source of a
            /// scatter, destination of a gather. `location: Mat` makes MGATHER gather to L1.
            "tile": TILE_OF_FILL,
            /// The indices: a tile, or for MGATHER to L1 a tensor in GM. Their dtype
            /// is int32_t unless given.
            "index": INDEX,
            /// The tensor in GM that MSCATTER writes and MGATHER reads.
            "table": TENSOR,
            /// Staging area in GM of MGATHER to L1, or `none`. In Elem mode as large
            /// as the tile, in Row mode none unless given.
            "scratch": Or("a scratch tensor, or `none`,", &[Word(name::<NoScratch>), TENSOR]),
            /// The tile that TSCATTER and TGATHERB read.
            "source": TILE_OF_FILL,
            /// The tile that TSCATTER and TGATHERB write. As large as the source, or
            /// as the mask makes it, unless given.
            "destination": TILE_OF_FILL,
            /// The byte offsets of TGATHERB. Their dtype is uint32_t unless given.
            "offset": Named("TileOfIndexPattern", A_TILE, &tile!(PATTERN)),
            /// How the kernel was launched (MSCATTER, MGATHER).
            "launch": LAUNCH,
            /// How often the call is issued, each time with the next part of the data,
            /// on one table: 1 to 4096. 1 unless given.
            "chunks": Word(|| json!({ "type": "integer", "minimum": 1, "maximum": MAX_CHUNKS })),
            /// With the run's seed it gives other data of the same kind. 0 unless given.
            "seed": COUNT,
            /// The targets it runs on. All unless given; a5 for MSCATTER's first revision.
            "targets": List(&Word(name::<Target>), SOME),
            /// Answers to gaps of the documents that are in force for this case.
            "readings": Named("Readings", "", &Pairs(&PROSE, readings)),
            /// Targets that must reject the call, and by which clauses.
            "rejected": CLAUSES_OF_TARGETS,
            /// Targets that are promised nothing, and by which clauses.
            "undefined": CLAUSES_OF_TARGETS,
            /// Targets that must wait forever, and by which clauses.
            "hangs": CLAUSES_OF_TARGETS,
            /// Clauses that the case covers: it fails where one of them is broken.
            "covers": CLAUSES,
            /// The gap whose readings the case distinguishes.
            "gap": CLAUSE,
            /// The holes that the case shows, as `ptodiff hunt` prints them: kind,
            /// targets, clauses, place.
            "holes": List(&HOLE, SOME),
            /// What must be found, worked out by hand.
            "expect": List(&EXPECTATION, SOME),
            /// Why the name and the case say different things, where they do.
            "name_differs": PROSE,
        },
        &[],
    ),
);

const TILE_OF_FILL: Shape = Named("TileOfFill", A_TILE, &tile!(FILL));

const TENSOR: Shape = Named(
    "TensorOfFill",
    "A tensor in GM.",
    &Map(
        keys! {
            /// Element type, where it differs from the default.
            "dtype": Word(name::<DType>),
            /// `Shape<S0..S4>`, in elements.
            "shape": List(&EXTENT, Some([5, 5])),
            /// `Stride<S0..S4>`, in elements. Dense row-major over the shape, static, unless given.
            "stride": List(&EXTENT, Some([5, 5])),
            /// Layout. ND unless given.
            "layout": Word(name::<Layout>),
            /// How its data is made. A table: zeros for MSCATTER, ramp for MGATHER
            /// unless given; a scratch: poison.
            "data": FILL,
        },
        &[],
    ),
);

const INDEX: Shape = Named(
    "Index",
    "The index operand: a tile, or for MGATHER to L1 a tensor in GM. Which of\n\
     the two the instruction says, not the keys, so both kinds are read here.",
    &Map(
        keys! {
            /// Element type. int32_t unless given.
            "dtype": Word(name::<DType>),
            /// A tile: padded rows and columns, static, at least 1; the source's
            /// unless given (TSCATTER). A tensor: five extents; those that the tile needs unless given.
            "shape": List(&EXTENT, Some([2, 5])),
            /// Valid rows and columns of a tile. The shape unless given.
            "valid": List(&EXTENT, Some([2, 2])),
            /// Order of a tile's elements or boxes. RowMajor unless given.
            "blayout": Word(name::<BLayout>),
            /// Order inside a box of a tile. NoneBox unless given.
            "slayout": Word(name::<SLayout>),
            /// Bytes of a box of a tile. 512 unless given.
            "fractal": MANY,
            /// The memory a tile stands in. Vec unless given.
            "location": Word(name::<TileType>),
            /// Strides of a tensor, in elements. Dense row-major over the shape, static, unless given.
            "stride": List(&EXTENT, Some([5, 5])),
            /// Layout of a tensor. ND unless given.
            "layout": Word(name::<Layout>),
            /// How its data is made. random unless given.
            "data": PATTERN,
        },
        &[],
    ),
);

pub(crate) const FILL: Shape = Named(
    "Fill",
    "Values of a data operand.",
    &Way(keys! {
        /// All bits zero.
        "zeros": Nothing,
        /// 1 + ((1 + k) mod 251) at flat position k: the suites' ramp.
        "ramp": Nothing,
        /// The ramp as raw bits of the element.
        "ramp-bits": Nothing,
        /// 0.125 * (1 + ((1 + k) mod 31)).
        "eighths": Nothing,
        /// A different bit pattern for each position, as far as the dtype has room.
        "distinct": Nothing,
        /// Any bits.
        "random-bits": Nothing,
        /// Values that arithmetic goes wrong on.
        "special": Nothing,
        /// Bytes that no other fill makes.
        "poison": Nothing,
        /// Whole numbers drawn from 1 to below 100, converted.
        "small-ints": Nothing,
        /// Drawn from 0 to below 100 and converted: with a fraction for floats.
        "percent": Nothing,
        /// 0, 1, 2, ... converted; integers wrap.
        "arange": Nothing,
        /// Element by element, as numbers.
        "values": LITERALS,
        /// Element by element, as raw bits.
        "bits": LITERALS,
        /// An array of the operand's extents and type in a file beside this one.
        "npy": TEXT,
        /// Of a table: rows by their numbers, each with its first elements. All other
        /// bytes are zero, and take no memory.
        "rows": Pairs(&LITERALS, |named| json!({
            "type": "object",
            "patternProperties": { "^[0-9]+$": LITERALS.schema(named) },
            "additionalProperties": false
        })),
    }),
);

const LITERALS: Shape = List(&LITERAL, None);

pub(crate) const PATTERN: Shape = Named(
    "IndexPattern",
    "Values of the index operand. TGATHERB stores them times the bytes of what\n\
     one offset serves; literals stand for themselves.",
    &Way(keys! {
        /// Uniform below the capacity, repeats possible.
        "random": Nothing,
        /// All capacity / 2.
        "same": Nothing,
        /// 0, 1, 2, ... modulo capacity.
        "seq": Nothing,
        /// A random permutation: no repeats.
        "permutation": Nothing,
        /// In range but for half, which are from capacity to below 2 * capacity.
        "out-of-bounds": Nothing,
        /// As out-of-bounds, the in-range rest without repeats.
        "out-of-bounds-no-dup": Nothing,
        /// All from capacity to below 2 * capacity.
        "all-out-of-bounds": Nothing,
        /// 0, capacity - 1, capacity, 2 * capacity, 2^31 - 1, 2^31, 2^32 - 1 between draws.
        "edges": Nothing,
        /// In-range draws between -1, -2, -capacity, -2^31.
        "negative": Nothing,
        /// In range, all on few slots.
        "hot": Map(keys! {
            /// How many different slots, at least 1.
            "slots": MANY,
        }, &["slots"]),
        /// In column c of the destination's first or second row, which is drawn:
        /// c or c + Cols. The suites' TSCATTER pattern.
        "two-rows": Nothing,
        /// One by one, as numbers.
        "values": LITERALS,
        /// One by one, as raw bits.
        "bits": LITERALS,
        /// An array of the operand's extents and type in a file beside this one.
        "npy": TEXT,
    }),
);

const LAUNCH: Shape = Named(
    "Launch",
    "How the kernel was launched.",
    &Map(
        keys! {
            /// dynUBufSize in bytes; nullptr unless given.
            "dyn_ub": COUNT,
            /// How the kernel is entered. Standard unless given.
            "dispatch": Word(name::<Dispatch>),
            /// Whether the wrapper of a scatter flushes the data cache. Appended unless given.
            "flush": Word(name::<CacheFlush>),
        },
        &[],
    ),
);

/// Gap name to choice, as the register of readings has them.
fn readings(_: &mut Definitions) -> Json {
    let reading = |gap: &ptodiff_isa::reading::Gap| {
        let about: Vec<_> = gap.clauses.iter().map(|c| c.0).collect();
        let about = format!("Answers {}.", about.join(", "));
        json!({ "description": about, "type": "string", "enum": gap.choices })
    };
    let all = GAPS.iter().map(|gap| (gap.name.to_owned(), reading(gap)));
    let properties: Object<_, _> = all.collect();
    // Those of one target, as in `cpu:scope`.
    let of_one = properties.iter();
    let of_one = of_one.map(|(name, own)| (format!("^(cpu|a2a3|a5):{name}$"), own.clone()));
    let of_one: Object<_, _> = of_one.collect();
    json!({
        "type": "object",
        "patternProperties": of_one,
        "properties": properties,
        "additionalProperties": false
    })
}

const CLAUSES: Shape = Or(
    "the number of a clause, or a list of them,",
    &[CLAUSE, List(&CLAUSE, SOME)],
);

const CLAUSES_OF_TARGETS: Shape = Named(
    "Expectations",
    "For each target, one clause or a list of them.",
    &Map(
        keys! {
            /// On the CPU simulator.
            "cpu": CLAUSES,
            /// On A2/A3.
            "a2a3": CLAUSES,
            /// On A5.
            "a5": CLAUSES,
        },
        &[],
    ),
);

const EXPECTATION: Shape = Named(
    "Expectation",
    "What must be found on some targets.",
    &Map(
        keys! {
            /// The targets it speaks of. Those of the case that `rejected`, `undefined`
            /// and `hangs` do not name unless given; with an `answer` all of the case.
            "targets": List(&Word(name::<Target>), SOME),
            /// The reading of the case's `gap` under which it holds, by its letter.
            "answer": ANSWER,
            /// What comes of the call. result unless given.
            "outcome": Word(name::<ExpectedOutcome>),
            /// What the table holds after the last call.
            "table": SLOTS,
            /// What the data tile of MSCATTER and MGATHER holds after the last call.
            "tile": SLOTS,
            /// What the destination of TSCATTER and TGATHERB holds after the call.
            "destination": SLOTS,
            /// What the staging area holds after the last call.
            "scratch": SLOTS,
            /// What the source of TSCATTER and TGATHERB holds after the call.
            "source": SLOTS,
            /// What the index operand holds after the last call.
            "index": SLOTS,
            /// What the offsets of TGATHERB are after the call.
            "offset": SLOTS,
            /// What is issued.
            "trace": Named("Trace", "What a target issues: patterns for the lines of its trace.", &Map(keys! {
                /// Pattern to how many lines fit it.
                "count": Pairs(&COUNT, |named| json!({
                    "type": "object", "additionalProperties": COUNT.schema(named)
                })),
                /// Lines that fit these follow each other, others between them allowed.
                "order": List(&TEXT, None),
            }, &[])),
            /// How the call is spelled.
            "spelled": Named("Spelled", "How a call is spelled: a pattern for each way to spell it.", &Map(keys! {
                /// PTO-AS, synchronous.
                "synchronous": TEXT,
                /// PTO-AS with its policies as suffixes.
                "mode": TEXT,
                /// AS or IR level 1.
                "level1": TEXT,
                /// AS or IR level 2.
                "level2": TEXT,
                /// Level 1 in manual mode: one of its lines.
                "manual": TEXT,
                /// PTO-AS with suffixes in the short types of the documents.
                "sketch": TEXT,
                /// C++: one of its lines.
                "cpp": TEXT,
            }, &[])),
        },
        &[],
    ),
);

/// What an operand holds: a token for every element, or some of them.
const SLOTS: Shape = Named(
    "Slots",
    "",
    &Or(
        "a list of tokens, or a mapping from elements to tokens,",
        &[Nothing, LITERALS, SOME_SLOTS],
    ),
);

/// Elements, or `rest`, to what they hold.
const SOME_SLOTS: Shape = Pairs(&TOKENS, |named| {
    json!({
        "type": "object",
        "patternProperties": {
            "^[0-9]+(-[0-9]+)?$": TOKENS.schema(named),
            "^rest$": LITERAL.schema(named)
        },
        "additionalProperties": false
    })
});

/// The same for some elements, or a token each.
const TOKENS: Shape = Or("a token, or a list of them,", &[Nothing, LITERAL, LITERALS]);
