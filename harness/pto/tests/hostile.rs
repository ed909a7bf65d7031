//! No text makes the reader panic or hang.

use proptest::prelude::*;

use crate::extract;

pub(crate) const FILES: [&str; 6] = [
    include_str!("files/row_gather_a3.pto"),
    include_str!("files/padded_scatter_a5.pto"),
    include_str!("files/loop_and_generic.pto"),
    include_str!("files/short_types.pto"),
    include_str!("files/to_l1.pto"),
    include_str!("files/refused.pto"),
];

/// Pieces that a reader of this syntax may stumble over, with a space between two.
const PIECES: &str = "\
    < > { } ( ) [ ] \" \\\" // -> = , : % ! # @ ? x 0 -1 99999999999999999999 \n \0 \u{1F600} \
    ins( valid= #pto< !pto.tile_buf< pto.mgather \"pto.tscatter\" module func.func";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_mangled_file_is_read_or_told_of(
        file in 0..FILES.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::sample::select(PIECES.split(' ').collect::<Vec<_>>())), 1..6),
    ) {
        let mut text = FILES[file].to_owned();
        for (at, length, piece) in cuts {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let Some(from) = bounds.get(at.index(bounds.len().max(1))).copied() else { continue };
            let to = (from + length).min(text.len());
            let to = (to..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(from);
            text.replace_range(from..to, piece);
        }
        let read = extract(&text);
        let all = read.mistakes.iter().chain(&read.set_aside);
        for place in all.filter_map(|d| d.place.as_ref()) {
            prop_assert!(text.get(place.span.bytes.clone()).is_some());
        }
    }
}

proptest! {
    // What a panic needs is seldom more than one sign of two bytes.
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_read_or_told_of(text in "\\PC{0,200}") {
        let _ = extract(&text);
    }
}

/// A number that no integer holds is not known.
#[test]
fn a_constant_beyond_all_numbers_is_read() {
    for sign in ["-", "--"] {
        let least = format!("{sign}170141183460469231731687303715884105728 : index");
        extract(&format!("%n = arith.constant {least}"));
        extract(&format!(
            "%n = \"arith.constant\"() <{{value = {least}}}> : () -> index"
        ));
    }
}

/// The parser looks at a line from its start again and again: a longer one takes long, so
/// the stack is small instead, a sixteenth of what a thread has.
#[test]
fn depth_and_length_cost_no_stack_and_little_time() {
    let begun = std::time::Instant::now();
    let deep = || {
        for piece in [
            "module {",
            "(",
            "<",
            "[",
            "{",
            "scf.for %a = %b {",
            "\"",
            "!pto.a<",
            "%a, ",
            "x",
        ] {
            let _ = extract(&piece.repeat(1_000));
            let ours = "pto.mgather ins(%m, %i : !pto.tile_buf<";
            let _ = extract(&format!("{ours}{}", piece.repeat(1_000)));
        }
    };
    let small = std::thread::Builder::new().stack_size(128 << 10);
    small.spawn(deep).expect("a thread").join().expect("read");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn a_large_file_is_read_in_time_that_grows_with_it() {
    let operation = "pto.tgatherb ins(%s, %w : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xi32>) outs(%s : !pto.tile_buf<vec, 8x16xf16>) ";
    let begun = std::time::Instant::now();
    let lines = format!("{operation}\n").repeat(5_000);
    let read = extract(&format!("func.func @f(%s, %w) {{\n{lines}}}\n"));
    assert_eq!(read.cases[4_999].place.span.line, 5_001);
    assert_eq!(read.cases[4_999].id, "f/f.5000");
    let _ = extract(&"%a = pto.alloc_tile ".repeat(50_000));
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

/// As a program may write it: with no line break.
#[test]
fn a_long_line_is_read_as_several() {
    let operation = "pto.tgatherb ins(%s, %w : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xi32>) outs(%s : !pto.tile_buf<vec, 8x16xf16>) ";
    let begun = std::time::Instant::now();
    let read = extract(&format!(
        "func.func @f(%s, %w) {{ {} }}",
        operation.repeat(500)
    ));
    assert_eq!(read.cases.len(), 500);
    assert_eq!(read.cases[499].place.span.line, 1);
    // No string and no comment is broken.
    let name = "a ".repeat(2_000);
    let read = extract(&format!(
        "\"x\"() {{n = \"{name}\"}} : () -> () // {name}{operation}"
    ));
    assert_eq!(read.cases, []);
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}
