//! Which clauses each rule stands for.

use ptodiff_isa::{Clause, Target};

use super::Rule;
use crate::random::Form;
use crate::random::Form::{
    Mgather as G, MgatherL1 as L, Mscatter as S, MscatterFirst as F, Tgatherb as B,
    TscatterIndex as I, TscatterMask as M,
};

/// What one rule is on CPU, A2/A3 and A5. CPU's MSCATTER is under A5's rules
/// where it has A5's template parameters (MSCATTER-GAP-41).
type Entry = (Rule, Form, [&'static [Clause]; 3]);

macro_rules! table {
    ($($rule:ident $form:ident [$($cpu:literal)*] [$($a2a3:literal)*] [$($a5:literal)*];)*) => {
        const TABLE: &[Entry] = &[$((
            Rule::$rule,
            $form,
            [&[$(Clause($cpu)),*], &[$(Clause($a2a3)),*], &[$(Clause($a5)),*]],
        )),*];
    };
}

table! {
    WideType S ["MSCATTER-DTYPE-01"] ["MSCATTER-DTYPE-07"] ["MSCATTER-DTYPE-09"];
    WideType G ["MGATHER-DTYPE-01"] ["MGATHER-DTYPE-06"] ["MGATHER-DTYPE-09"];
    WideType L [] ["MGATHERL1-DTYPE-01"] ["MGATHERL1-DTYPE-02"];
    WideType F [] [] ["MSCATTER0-DTYPE-01"];
    WideType I [] ["TSCATTER-DTYPE-01"] ["TSCATTER-DTYPE-02"];
    WideType M [] [] ["TSCATTER-DTYPE-08"];
    WideType B ["TGATHERB-GAP-08"] ["TGATHERB-DTYPE-01"] ["TGATHERB-DTYPE-02"];

    SmallFloat S ["MSCATTER-DTYPE-01" "MSCATTER-GAP-62"] ["MSCATTER-DTYPE-07" "MSCATTER-DTYPE-08"] [];
    SmallFloat G ["MGATHER-DTYPE-01" "MGATHER-GAP-35"] ["MGATHER-DTYPE-06" "MGATHER-DTYPE-07"] [];
    SmallFloat L [] ["MGATHERL1-DTYPE-01"] [];
    SmallFloat F [] [] ["MSCATTER0-DTYPE-01"];
    SmallFloat I [] ["TSCATTER-DTYPE-01"] ["TSCATTER-DTYPE-02"];
    SmallFloat M [] [] ["TSCATTER-DTYPE-08"];
    SmallFloat B ["TGATHERB-GAP-08"] ["TGATHERB-DTYPE-03"] ["TGATHERB-DTYPE-04"];

    MixedTypes S [] ["MSCATTER-DTYPE-11"] ["MSCATTER-DTYPE-11"];
    MixedTypes G [] ["MGATHER-DTYPE-11"] ["MGATHER-DTYPE-11"];
    MixedTypes L [] ["MGATHERL1-DTYPE-06"] ["MGATHERL1-DTYPE-06"];
    MixedTypes F [] [] ["MSCATTER0-DTYPE-03"];
    MixedTypes I ["TSCATTER-GAP-08"] ["TSCATTER-DTYPE-03"] ["TSCATTER-DTYPE-03"];
    MixedTypes M [] [] ["TSCATTER-DTYPE-08"];
    MixedTypes B ["TGATHERB-GAP-04"] ["TGATHERB-GAP-04"] ["TGATHERB-GAP-04"];

    MixedSizes S ["MSCATTER-DTYPE-05"] ["MSCATTER-DTYPE-11"] ["MSCATTER-DTYPE-11"];
    MixedSizes G ["MGATHER-DTYPE-04"] ["MGATHER-DTYPE-11"] ["MGATHER-DTYPE-11"];
    MixedSizes I ["TSCATTER-GAP-08"] ["TSCATTER-DTYPE-03"] ["TSCATTER-DTYPE-03"];
    MixedSizes B ["TGATHERB-GAP-04"] ["TGATHERB-GAP-04"] ["TGATHERB-GAP-04"];

    IndexType S ["MSCATTER-DTYPE-13"] ["MSCATTER-DTYPE-03"] ["MSCATTER-DTYPE-03"];
    IndexType G ["MGATHER-DTYPE-03"] ["MGATHER-DTYPE-08"] ["MGATHER-DTYPE-08"];
    IndexType L ["MGATHER-DTYPE-03"] ["MGATHERL1-DTYPE-05"] ["MGATHERL1-DTYPE-05"];
    IndexType F [] [] ["MSCATTER0-DTYPE-02"];
    IndexType I [] ["TSCATTER-DTYPE-04"] ["TSCATTER-DTYPE-04"];
    IndexType B ["TGATHERB-GAP-05"] ["TGATHERB-GAP-05"] ["TGATHERB-GAP-05"];

    FloatIndex S ["MSCATTER-DTYPE-04"] ["MSCATTER-DTYPE-03"] ["MSCATTER-DTYPE-03"];
    FloatIndex G ["MGATHER-DTYPE-04"] ["MGATHER-DTYPE-08"] ["MGATHER-DTYPE-08"];
    FloatIndex I ["TSCATTER-GAP-08"] ["TSCATTER-DTYPE-04"] ["TSCATTER-DTYPE-04"];

    IndexWidth I []
        ["TSCATTER-DTYPE-05" "TSCATTER-DTYPE-06" "TSCATTER-DTYPE-07"]
        ["TSCATTER-DTYPE-05" "TSCATTER-DTYPE-06" "TSCATTER-DTYPE-07"];

    AddType S ["MSCATTER-ATOM-16"]
        ["MSCATTER-ATOM-08" "MSCATTER-ATOM-09"]
        ["MSCATTER-ATOM-11" "MSCATTER-ATOM-12"];
    AddType F [] [] ["MSCATTER0-ATOM-03"];
    ExtremeType S ["MSCATTER-ATOM-17"] ["MSCATTER-ATOM-10"]
        ["MSCATTER-ATOM-13" "MSCATTER-ATOM-14"];
    ExtremeType F [] [] ["MSCATTER0-ATOM-04" "MSCATTER0-ATOM-05"];
    ExtremeTarget S [] ["MSCATTER-ATOM-10"] [];

    TileLayout S ["MSCATTER-TILE-03"] ["MSCATTER-TILE-07"] [];
    TileLayout G ["MGATHER-TILE-03"] ["MGATHER-TILE-05"] [];
    TileLayout L [] ["MGATHERL1-TILE-01"] ["MGATHERL1-TILE-01"];
    TileLayout B [] ["TGATHERB-TILE-01"] [];

    TileBoxes S ["MSCATTER-TILE-03" "MSCATTER-TILE-04" "MSCATTER-TILE-12"] ["MSCATTER-TILE-07"]
        ["MSCATTER-TILE-12" "MSCATTER-GAP-59"];
    TileBoxes G ["MGATHER-TILE-03" "MGATHER-TILE-09"] ["MGATHER-TILE-05"]
        ["MGATHER-TILE-08" "MGATHER-GAP-49"];
    TileBoxes I ["TSCATTER-GAP-07"] ["TSCATTER-GAP-07"] ["TSCATTER-GAP-07"];
    TileBoxes M ["TSCATTER-GAP-15"] ["TSCATTER-GAP-15"] ["TSCATTER-GAP-15"];
    TileBoxes B ["TGATHERB-GAP-10"] ["TGATHERB-GAP-10"] ["TGATHERB-GAP-10"];

    TileLocation S ["MSCATTER-TILE-17" "MSCATTER-TILE-01"] ["MSCATTER-TILE-01"] ["MSCATTER-TILE-01"];
    TileLocation F [] [] ["MSCATTER0-TILE-01"];
    TileLocation I [] ["TSCATTER-TILE-01"] ["TSCATTER-TILE-01"];
    TileLocation M [] [] ["TSCATTER-TILE-02"];
    TileLocation B ["TGATHERB-GAP-09"] ["TGATHERB-GAP-09"] ["TGATHERB-GAP-09"];

    Alignment S ["MSCATTER-ALIGN-04" "MSCATTER-ALIGN-02"] ["MSCATTER-ALIGN-01"] ["MSCATTER-ALIGN-02"];
    Alignment G ["MGATHER-ALIGN-02"] ["MGATHER-ALIGN-01"] ["MGATHER-ALIGN-03"];

    EmptyTile S [] ["MSCATTER-SHAPE-03"] ["MSCATTER-SHAPE-03"];
    EmptyTile G [] ["MGATHER-SHAPE-03"] ["MGATHER-SHAPE-03"];
    EmptyAtRunTime S [] ["MSCATTER-GAP-38" "MSCATTER-SHAPE-03"]
        ["MSCATTER-GAP-38" "MSCATTER-SHAPE-03"];
    EmptyAtRunTime G [] ["MGATHER-GAP-26" "MGATHER-SHAPE-03"] ["MGATHER-GAP-26" "MGATHER-SHAPE-03"];

    IndexLayout S ["MSCATTER-TILE-03"] ["MSCATTER-TILE-06"] [];
    IndexLayout G ["MGATHER-TILE-03"] ["MGATHER-TILE-04"] [];
    IndexBoxes S ["MSCATTER-TILE-03" "MSCATTER-GAP-59"] ["MSCATTER-TILE-06"] ["MSCATTER-GAP-59"];
    IndexBoxes G ["MGATHER-TILE-03"] ["MGATHER-TILE-04"] ["MGATHER-GAP-49"];
    IndexBoxes I ["TSCATTER-GAP-07"] ["TSCATTER-GAP-07"] ["TSCATTER-GAP-07"];
    IndexBoxes B ["TGATHERB-GAP-10"] ["TGATHERB-GAP-10"] ["TGATHERB-GAP-10"];
    IndexLocation S ["MSCATTER-TILE-17" "MSCATTER-TILE-02"] ["MSCATTER-TILE-02"] ["MSCATTER-TILE-02"];
    IndexLocation G ["MGATHER-TILE-14"] ["MGATHER-TILE-02"] ["MGATHER-TILE-02"];
    IndexLocation F [] [] ["MSCATTER0-TILE-02"];
    IndexLocation I [] ["TSCATTER-TILE-01"] ["TSCATTER-TILE-01"];
    IndexLocation B ["TGATHERB-GAP-09"] ["TGATHERB-GAP-09"] ["TGATHERB-GAP-09"];

    IndexShape S [] ["MSCATTER-SHAPE-01" "MSCATTER-SHAPE-02"]
        ["MSCATTER-SHAPE-02" "MSCATTER-SHAPE-04"];
    IndexShape G ["MGATHER-MODE-06" "MGATHER-GAP-12"] ["MGATHER-MODE-02" "MGATHER-MODE-05"]
        ["MGATHER-MODE-04" "MGATHER-MODE-05"];
    IndexShapeAtRunTime S []
        ["MSCATTER-GAP-37" "MSCATTER-SHAPE-01" "MSCATTER-SHAPE-02"]
        ["MSCATTER-GAP-37" "MSCATTER-SHAPE-02" "MSCATTER-SHAPE-04"];
    IndexShapeAtRunTime G []
        ["MGATHER-GAP-25" "MGATHER-MODE-02" "MGATHER-MODE-05"]
        ["MGATHER-GAP-25" "MGATHER-MODE-04" "MGATHER-MODE-05"];
    TooFewIndices L [] ["MGATHERL1-GAP-03" "MGATHERL1-GAP-28"]
        ["MGATHERL1-GAP-03" "MGATHERL1-GAP-28"];
    TooFewIndices I ["TSCATTER-SEM-02"] ["TSCATTER-SEM-02"] ["TSCATTER-SEM-02"];
    TooFewIndices B ["TGATHERB-SEM-03"] ["TGATHERB-SEM-03"] ["TGATHERB-SEM-03"];
    IndexRows S ["MSCATTER-SHAPE-05"] [] [];
    IndexRows G ["MGATHER-SHAPE-01"] [] [];
    IndexRows F [] [] ["MSCATTER0-SHAPE-01"];
    IndexRange S ["MSCATTER-OOB-16" "MSCATTER-OOB-02"] ["MSCATTER-OOB-02" "MSCATTER-OOB-03"]
        ["MSCATTER-OOB-02" "MSCATTER-OOB-03"];
    IndexRange G ["MGATHER-OOB-01" "MGATHER-OOB-03"] ["MGATHER-OOB-01" "MGATHER-OOB-02"]
        ["MGATHER-OOB-01" "MGATHER-OOB-02"];
    IndexRange L ["MGATHER-OOB-01" "MGATHER-OOB-03"] ["MGATHER-OOB-01" "MGATHER-OOB-02"] ["MGATHER-OOB-01" "MGATHER-OOB-02"];
    IndexRange F [] [] ["MSCATTER0-OOB-01"];
    IndexRange I ["TSCATTER-GAP-08" "TSCATTER-GAP-22"] ["TSCATTER-OOB-01" "TSCATTER-GAP-22"] ["TSCATTER-OOB-01" "TSCATTER-GAP-22"];

    TableLayout S ["MSCATTER-TABLE-02" "MSCATTER-TABLE-08"] ["MSCATTER-GAP-20"] ["MSCATTER-TABLE-08" "MSCATTER-GAP-20"];
    TableLayout G ["MGATHER-TABLE-02"] ["MGATHER-GAP-39"] ["MGATHER-TABLE-08"];
    TableLayout L ["MGATHER-TABLE-02" "MGATHERL1-TABLE-01"] ["MGATHERL1-TABLE-01"] ["MGATHERL1-TABLE-01"];
    TableWidth S [] [] ["MSCATTER-TABLE-07"];
    TableWidth G [] [] ["MGATHER-TABLE-07"];
    TableWidthAtRunTime S [] [] ["MSCATTER-GAP-14" "MSCATTER-TABLE-07"];
    TableWidthAtRunTime G [] [] ["MGATHER-GAP-09" "MGATHER-TABLE-07"];
    NarrowTable S [] ["MSCATTER-GAP-17"] [];
    NarrowTable G ["MGATHER-GAP-10"] ["MGATHER-GAP-10"] [];
    NarrowTable L ["MGATHER-GAP-10" "MGATHERL1-GAP-17"] ["MGATHERL1-GAP-17"] ["MGATHERL1-GAP-17"];
    TablePitch S [] [] ["MSCATTER-GAP-13"];
    TablePitch G ["MGATHER-GAP-08"] [] ["MGATHER-GAP-09"];
    TablePitch F [] [] ["MSCATTER0-GAP-08"];
    OuterDimensions S ["MSCATTER-TABLE-03"] [] [];
    OuterDimensions G ["MGATHER-TABLE-03"] [] [];
    OuterDimensions L ["MGATHER-TABLE-03"] [] [];
    OuterDimensions F [] [] ["MSCATTER0-GAP-04"];
    EmptyTable S [] ["MSCATTER-GAP-02"] ["MSCATTER-GAP-02"];
    EmptyTable G ["MGATHER-GAP-03"] ["MGATHER-GAP-03"] ["MGATHER-GAP-03"];
    EmptyTable L ["MGATHER-GAP-03" "MGATHERL1-GAP-26"] ["MGATHERL1-GAP-04" "MGATHERL1-GAP-26"] ["MGATHERL1-GAP-04" "MGATHERL1-GAP-26"];

    NzPair S [] ["MSCATTER-TILE-08" "MSCATTER-TILE-09"] [];
    NzPair G [] ["MGATHER-TILE-06"] [];
    NzFractal S [] ["MSCATTER-TILE-08"] [];
    NzFractal G [] ["MGATHER-TILE-06"] [];
    NzFractal L [] ["MGATHERL1-TILE-01"] ["MGATHERL1-TILE-01"];
    NzTileRows S [] ["MSCATTER-NZ-07"] [];
    NzTileRows G [] ["MGATHER-NZ-10"] [];
    NzTileRows L [] ["MGATHERL1-TILE-03"] ["MGATHERL1-TILE-03"];
    NzTileColumns S [] ["MSCATTER-NZ-06"] [];
    NzTileColumns G [] ["MGATHER-NZ-09"] [];
    NzTileColumns L [] ["MGATHERL1-TILE-02"] ["MGATHERL1-TILE-02"];
    NzBlockRows S [] ["MSCATTER-NZ-04"] [];
    NzBlockRows G [] ["MGATHER-NZ-07"] [];
    NzBlockColumns S [] ["MSCATTER-NZ-05"] [];
    NzBlockColumns G [] ["MGATHER-NZ-08"] [];

    UbBudget S [] ["MSCATTER-UB-01"] ["MSCATTER-UB-07" "MSCATTER-UB-10"];
    UbBudget G [] ["MGATHER-UB-02"] ["MGATHER-UB-07" "MGATHER-UB-14"];
    DynUb S [] [] ["MSCATTER-UB-06"];
    DynUb G [] [] ["MGATHER-UB-06"];
    DynUb F [] [] ["MSCATTER-UB-06"];

    ScratchOperand L [] ["MGATHERL1-GAP-05"] ["MGATHERL1-GAP-05"];
    ScratchSize L [] ["MGATHERL1-SCRATCH-02"] ["MGATHERL1-SCRATCH-02"];
    ScratchType L [] ["MGATHERL1-SCRATCH-01"] ["MGATHERL1-SCRATCH-01"];
    Executor L [] ["MGATHERL1-EXEC-03" "MGATHERL1-GAP-06"] ["MGATHERL1-GAP-06"];
    PartialTile F [] [] ["MSCATTER0-GAP-06"];
    IndexColumns F [] [] ["MSCATTER0-MODE-01"];
    MaskRows M [] [] ["TSCATTER-SHAPE-02"];
    MaskColumns M [] [] ["TSCATTER-SHAPE-03"];
    Form F ["MSCATTER0-API-01"] ["MSCATTER0-API-01"] [];
    Form L ["MGATHERL1-GAP-14" "MGATHER-TILE-14"] [] [];
    Form M ["TSCATTER-MODE-02"] ["TSCATTER-MODE-02"] [];
}

/// One more than the number of an entry, by rule and form; 0 where there is none.
static INDEX: [[u8; Form::ALL.len()]; Rule::ALL.len()] = {
    let mut index = [[0; Form::ALL.len()]; Rule::ALL.len()];
    let mut at = 0;
    while at < TABLE.len() {
        index[TABLE[at].0 as usize][TABLE[at].1 as usize] = at as u8 + 1;
        at += 1;
    }
    index
};

/// Those of `rule` for a call of `form` on `target`.
pub(super) fn of(rule: Rule, form: Form, target: Target) -> &'static [Clause] {
    match INDEX[rule as usize][form as usize] {
        0 => &[],
        entry => TABLE[usize::from(entry) - 1].2[target as usize],
    }
}
