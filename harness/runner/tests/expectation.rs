//! Witnesses of what no case can say, since the reader of cases rejects it first.

use ptodiff_case::load_str;
use ptodiff_contract::{Enforced, legality};
use ptodiff_isa::{Call, Clause, Dim, Model, Readings, Target, Tile, TscatterIndex};
use ptodiff_runner::models;

fn scatter() -> TscatterIndex {
    let text =
        "cases:\n  - {name: x, instruction: TSCATTER, dtype: float, source: {shape: [4, 8]}}\n";
    let cases = load_str("x.yaml", text).expect("a case").cases;
    match cases[0].call {
        Call::TscatterIndex(call) => call,
        other => panic!("{other:?}"),
    }
}

/// The clauses by which the model's checks and the contract's reject `call`.
fn rejected(call: &TscatterIndex, model: &dyn Model) -> [Vec<Clause>; 2] {
    let call = Call::TscatterIndex(*call);
    let readings = Readings::default();
    let checked = model.check(&call, &readings);
    let broken = legality(&call, model.target(), &readings);
    let by_check = broken.iter().filter(|b| b.enforced == Enforced::ByCheck);
    [
        checked.iter().map(|r| r.clause).collect(),
        by_check.map(|b| b.clause).collect(),
    ]
}

// covers: TSCATTER-SHAPE-01
#[test]
fn valid_extents_above_the_padded_ones_are_rejected_for_each_tile() {
    type Of = fn(&mut TscatterIndex) -> &mut Tile;
    let tiles: [Of; 3] = [|c| &mut c.dst, |c| &mut c.src, |c| &mut c.idx];
    let npus = models().into_iter().filter(|m| m.target() != Target::Cpu);
    for model in npus {
        assert_eq!(rejected(&scatter(), model), [[], []], "{}", model.target());
        for (n, tile) in tiles.iter().enumerate() {
            for (extents, legal) in [((4, 8), true), ((5, 8), false), ((4, 9), false)] {
                let mut call = scatter();
                let tile = tile(&mut call);
                (tile.valid_row, tile.valid_col) = (Dim::Static(extents.0), Dim::Static(extents.1));
                for clauses in rejected(&call, model) {
                    let named = clauses.contains(&Clause("TSCATTER-SHAPE-01"));
                    assert_eq!(named, !legal, "{} tile {n} {extents:?}", model.target());
                }
            }
        }
    }
}
