//! What is written is read back, and nothing that is read brings the reader down.

use crate::common::calls;
use proptest::prelude::*;
use ptodiff_asm::{Level, forms, parse};
use ptodiff_isa::Call;

/// Whether all tiles of one memory together stay below 2^63 bytes.
fn is_placeable(call: &Call) -> bool {
    let bytes = |rows: u64, cols: u64| u128::from(rows).checked_mul(u128::from(cols) * 8);
    call.operands()
        .iter()
        .filter_map(|(_, operand)| operand.tile())
        .all(|tile| bytes(tile.rows, tile.cols).is_some_and(|bytes| bytes < 1 << 61))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_lossless_form_is_read_back(call in calls()) {
        for form in forms(&call) {
            if form.level.is_lossless() {
                prop_assert_eq!(parse(&form.text), Ok(call), "{}", form.text);
            } else {
                prop_assert!(parse(&form.text).is_err(), "{}", form.text);
            }
        }
    }

    #[test]
    fn a_call_has_the_forms_of_its_instruction(call in calls()) {
        use Level::{Dps, Manual, Mode, Sketch, Ssa, Synchronous};
        let mut levels = match call {
            Call::Mscatter(_) | Call::Mgather(_) => {
                vec![Sketch, Synchronous, Mode, Ssa, Dps, Manual]
            }
            Call::MscatterFirst(_) => vec![Sketch, Mode],
            Call::MgatherL1(_) => vec![Synchronous, Mode, Ssa, Dps, Manual],
            Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => {
                vec![Synchronous, Ssa, Dps, Manual]
            }
        };
        let written: Vec<_> = forms(&call).into_iter().map(|form| form.level).collect();
        if !is_placeable(&call) && !written.contains(&Manual) {
            levels.retain(|level| *level != Manual);
        }
        prop_assert_eq!(written, levels);
    }

    #[test]
    fn white_space_and_comments_do_not_matter(call in calls()) {
        for form in forms(&call).into_iter().filter(|form| form.level.is_lossless()) {
            let airy = form.text.replace(", ", " ,\n\t# comma\n  ").replace(" : ", ":");
            prop_assert_eq!(parse(&format!("# a call\n{airy}\n# end")), Ok(call), "{}", airy);
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn a_damaged_form_is_rejected_or_means_what_it_says(
        call in calls(),
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        new in prop::option::of(any::<char>()),
        remove in any::<bool>(),
    ) {
        let forms = forms(&call);
        let text = &which.get(&forms).text;
        let characters: Vec<_> = text.chars().collect();
        let place = place.index(characters.len());
        let damaged: String = characters[..place]
            .iter()
            .copied()
            .chain(new)
            .chain(characters[place + usize::from(remove)..].iter().copied())
            .collect();
        match parse(&damaged) {
            Err(error) => {
                let line = damaged.split('\n').nth(error.line - 1);
                let width = line.map(|line| line.chars().count());
                prop_assert!(width.is_some_and(|width| error.column <= width + 1), "{}", error);
            }
            Ok(read) => {
                let mut same = ptodiff_asm::forms(&read).into_iter().filter(|f| f.level.is_lossless());
                prop_assert!(same.all(|form| parse(&form.text) == Ok(read)));
            }
        }
    }
}

#[test]
fn a_long_text_is_answered_soon() {
    let names = "%a, ".repeat(200_000);
    let entries = "a = 1, ".repeat(200_000);
    let list = "1, ".repeat(200_000);
    let open = "(".repeat(200_000);
    for text in [
        format!("mscatter {names}"),
        format!("pto.mscatter {names}%b : "),
        format!("%a = tscatter %b : {FULL} -> {FULL} {{{entries}"),
        format!("%a = tscatter %b : {FULL} -> {FULL} {{%a = [{list}"),
        "pto.tassign %a, @tile(0x0)\n".repeat(50_000),
        format!("mscatter.{}", "row.".repeat(200_000)),
        format!("pto.mscatter {open}"),
        format!(
            "mscatter %a : !pto.tile<Vec, f32, {}",
            "9".repeat(1_000_000)
        ),
    ] {
        assert!(parse(&text).is_err());
    }
}

const FULL: &str = "!pto.tile<Vec, f32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>";
