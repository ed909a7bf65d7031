//! The parameters of a call as a record tells them.

use ptodiff_case::load_str;
use ptodiff_runner::describe;

/// The operands that are told of `case`.
fn operands(case: &str) -> Vec<String> {
    let text = format!("cases:\n  - {{name: x, {case}}}\n");
    let cases = load_str("x.yaml", &text).expect("a case").cases;
    let told = describe(&cases[0]).into_iter();
    let extents = told.filter(|(_, value)| value.contains('x'));
    extents.map(|(name, _)| name).collect()
}

#[test]
fn every_operand_is_told_under_its_key_in_a_case_file() {
    let scatter = "instruction: TSCATTER, dtype: int32_t, source: {shape: [4, 8]}";
    assert_eq!(operands(scatter), ["destination", "index", "source"]);
    let gather = "instruction: TGATHERB, dtype: float, source: {shape: [4, 8]}, \
                  destination: {shape: [4, 8]}, offset: {shape: [4, 8]}";
    assert_eq!(operands(gather), ["destination", "offset", "source"]);
    // An index tile like the data tile is still the index.
    let alike = "mode: Elem, dtype: int32_t, tile: {shape: [1, 8]}, index: {shape: [1, 8]}, \
                 table: {shape: [1, 1, 1, 1, 8]}";
    for instruction in ["MSCATTER", "MGATHER"] {
        let told = operands(&format!("instruction: {instruction}, {alike}"));
        assert_eq!(told, ["index", "table", "tile"], "{instruction}");
    }
}
