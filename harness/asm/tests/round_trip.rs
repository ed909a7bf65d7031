//! What is written is read back, and nothing that is read brings the reader down. The fuzz
//! target `asm` asks the same of any call and of any text.

use ptodiff_asm::{Level, forms, parse};
use ptodiff_isa::{Call, Dim};

use crate::calls::calls;

#[test]
fn every_lossless_form_is_read_back_however_it_is_spaced() {
    for call in calls() {
        for form in forms(&call) {
            if !form.level.is_lossless() {
                assert!(parse(&form.text).is_err(), "{}", form.text);
                continue;
            }
            let airy = form
                .text
                .replace(", ", " ,\n\t# comma\n  ")
                .replace(" : ", ":");
            for text in [form.text, format!("# a call\n{airy}\n# end")] {
                assert_eq!(parse(&text), Ok(call), "{text}");
            }
        }
    }
}

#[test]
fn a_tile_type_with_its_eight_fields_alone_is_that_of_a_full_tile() {
    let mut seen = [0, 0];
    for call in calls() {
        let operands = call.operands();
        let full = operands.iter().filter_map(|(_, o)| o.tile()).all(|tile| {
            [tile.valid_row, tile.valid_col] == [tile.rows, tile.cols].map(Dim::Static)
        });
        for form in forms(&call).iter().filter(|form| form.level.is_lossless()) {
            let mut text = String::new();
            for (at, part) in form.text.split(", valid = ").enumerate() {
                let end = if at == 0 {
                    0
                } else {
                    part.find('>').expect("it ends")
                };
                text += &part[end..];
            }
            assert_eq!(parse(&text) == Ok(call), full, "{text}");
            seen[usize::from(full)] += 1;
        }
    }
    assert!(seen.iter().all(|forms| *forms > 10), "{seen:?}");
}

#[test]
fn a_call_has_the_forms_of_its_instruction() {
    use Level::{Dps, Manual, Mode, Sketch, Ssa, Synchronous};
    for call in calls() {
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
        // No 64-bit addresses reach over all of it.
        levels.retain(|level| *level != Manual || call.data_tile().rows < u64::MAX);
        let written: Vec<_> = forms(&call).into_iter().map(|form| form.level).collect();
        assert_eq!(written, levels, "{call:?}");
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
