//! Every axis of every form, with all the values that its types have.

use ptodiff_generate::random::Form;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    BLayout, CacheFlush, Coalesce, DType, Dispatch, GatherExec, GatherOob, Layout, MaskAxis,
    MaskPattern, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob,
};
use strum::VariantNames;

use crate::reach::axes::reading_name;

/// An axis and its values.
pub(crate) type Axis = (&'static str, Vec<&'static str>);

use Form::{Mgather as G, MgatherL1 as L, Mscatter as S, MscatterFirst as F};
use Form::{Tgatherb as B, TscatterIndex as I, TscatterMask as M};

const ALL: &[Form] = &[S, F, G, L, I, M, B];
const IN_GM: &[Form] = &[S, F, G, L];
const INDEX_TILES: &[Form] = &[S, F, G, I, B];
const WHEN: &[&str] = &["static", "dynamic"];
const PATTERNS: &[&str] = &[
    "random",
    "same",
    "seq",
    "permutation",
    "out-of-bounds",
    "out-of-bounds-no-dup",
    "all-out-of-bounds",
    "hot",
    "edges",
    "negative",
    "two-rows",
    "values",
];
const FILLS: &[&str] = &[
    "zeros",
    "ramp",
    "ramp-bits",
    "eighths",
    "distinct",
    "random-bits",
    "special",
    "poison",
    "small-ints",
    "percent",
    "arange",
];
const TARGETS: &[&str] = &[
    "cpu",
    "a2a3",
    "a5",
    "cpu+a2a3",
    "cpu+a5",
    "a2a3+a5",
    "cpu+a2a3+a5",
];

fn names<T: VariantNames>() -> &'static [&'static str] {
    T::VARIANTS
}

/// Those of `form`. What its rules leave no room for is in the table of what
/// is impossible, not left out here.
pub(crate) fn axes(form: Form) -> Vec<Axis> {
    let table: [(&str, &[Form], &[&str]); 50] = [
        ("targets", ALL, TARGETS),
        ("dtype", ALL, names::<DType>()),
        ("types", ALL, &["equal", "mixed"]),
        ("mode", IN_GM, names::<Coalesce>()),
        ("atomic", &[S, F], names::<ScatterAtomicOp>()),
        ("oob", &[S, F], names::<ScatterOob>()),
        ("oob", &[G, L], names::<GatherOob>()),
        ("conflict", &[S], names::<ScatterConflict>()),
        ("exec", &[L], names::<GatherExec>()),
        ("mask", &[M], names::<MaskPattern>()),
        ("axis", &[M], names::<MaskAxis>()),
        ("blayout", ALL, names::<BLayout>()),
        ("slayout", ALL, names::<SLayout>()),
        ("valid_row", ALL, WHEN),
        ("valid_col", ALL, WHEN),
        ("lanes", ALL, &["none", "1x1", "row", "column", "area"]),
        ("tile", ALL, &["full", "partial", "partial box"]),
        ("index dtype", &[S, F, G, L, I, B], names::<DType>()),
        ("pattern", &[S, F, G, L, I, B], PATTERNS),
        ("index blayout", INDEX_TILES, names::<BLayout>()),
        ("index valid_row", INDEX_TILES, WHEN),
        ("index valid_col", INDEX_TILES, WHEN),
        ("index shape", &[S, G], &["row", "column", "as data"]),
        ("index shape", &[I, B], &["as data", "other"]),
        ("index shape3", &[L], WHEN),
        ("index shape4", &[L], WHEN),
        ("index stride3", &[L], WHEN),
        ("index stride4", &[L], WHEN),
        ("index strides", &[L], &["dense", "padded", "outer-padded"]),
        ("shape0", IN_GM, WHEN),
        ("shape1", IN_GM, WHEN),
        ("shape2", IN_GM, WHEN),
        ("shape3", IN_GM, WHEN),
        ("shape4", IN_GM, WHEN),
        ("stride0", IN_GM, WHEN),
        ("stride1", IN_GM, WHEN),
        ("stride2", IN_GM, WHEN),
        ("stride3", IN_GM, WHEN),
        ("stride4", IN_GM, WHEN),
        ("layout", IN_GM, names::<Layout>()),
        ("outer", IN_GM, &["1", "several"]),
        ("strides", IN_GM, &["dense", "padded", "outer-padded"]),
        (
            "capacity",
            IN_GM,
            &["power of two", "odd rows", "odd slots"],
        ),
        ("chunks", &[S, F], &["one", "several"]),
        ("dispatch", IN_GM, names::<Dispatch>()),
        ("flush", IN_GM, names::<CacheFlush>()),
        ("dyn_ub", IN_GM, &["nullptr", "given"]),
        ("table data", IN_GM, FILLS),
        ("source data", &[S, F, I, M, B], FILLS),
        ("destination data", &[G, L, I, M, B], FILLS),
    ];
    let mut axes: Vec<Axis> = table
        .iter()
        .filter(|(_, forms, _)| forms.contains(&form))
        .map(|(axis, _, values)| (*axis, values.to_vec()))
        .collect();
    axes.push(("reading", readings(form)));
    axes
}

/// All defaults, or one parameter changed that concerns the form.
fn readings(form: Form) -> Vec<&'static str> {
    let mut values = vec!["default"];
    for gap in GAPS.iter().filter(|gap| gap.forms.contains(&form)) {
        let choices = gap.choices[1..].iter();
        values.extend(choices.filter_map(|choice| reading_name(gap.name, choice)));
    }
    values
}
