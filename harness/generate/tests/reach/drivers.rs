//! The other sources of choices reach cases too.

use arbitrary::Unstructured;
use ptodiff_generate::random::{Bytes, Form, Rules, Wish, draw};
use ptodiff_isa::{Call, Dim, Readings};

fn wishes() -> impl Iterator<Item = Wish> {
    [Rules::Legal, Rules::Broken(2), Rules::Wild]
        .into_iter()
        .map(|rules| Wish {
            rules,
            ..Wish::default()
        })
}

#[test]
fn bytes_of_any_length_are_a_case() {
    let bytes: Vec<u8> = (0..400_u32).map(|k| (k * k * 7 + k / 3) as u8).collect();
    for wish in wishes() {
        for length in 0..bytes.len() {
            let mut left = Unstructured::new(&bytes[length / 2..length]);
            let drawn = draw(&mut Bytes::new(&mut left), &wish);
            assert!(!drawn.case.targets.is_empty());
        }
    }
}

/// Without choices every case is the simplest: one lane, nothing dynamic, all
/// defaults.
#[test]
fn no_choices_are_the_simplest_case() {
    for form in Form::ALL {
        let wish = Wish {
            forms: vec![*form],
            ..Wish::default()
        };
        let mut nothing = Unstructured::new(&[]);
        let case = draw(&mut Bytes::new(&mut nothing), &wish).case;
        let tile = case.call.data_tile();
        let lanes = tile.valid_row.get() * tile.valid_col.get();
        // The first revision has full tiles of 32 bytes at least.
        let least = if *form == Form::MscatterFirst { 8 } else { 1 };
        assert_eq!(lanes, least, "{form:?}");
        assert!(matches!(tile.valid_row, Dim::Static(_)));
        assert!(matches!(tile.valid_col, Dim::Static(_)));
        assert_eq!(case.readings, Readings::default().into());
        assert_eq!((case.chunks, case.data.seed), (1, 0));
        if let Call::Mscatter(call) = case.call {
            assert_eq!(call.launch, Default::default());
        }
    }
}
