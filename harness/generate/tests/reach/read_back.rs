//! Every drawn case can be written as a case file and read back.

use ptodiff_case::{Case, Style, case_yaml, load_str};
use ptodiff_generate::random::{Form, Rules, Series, Wish, draw};
use ptodiff_isa::Target;

use crate::reach::drawn;

/// Cases drawn of each form.
const CASES: u64 = 200;

#[test]
fn drawn_cases_are_read_back() {
    for rules in [Rules::Legal, Rules::Broken(2), Rules::Wild] {
        for case in drawn(4, rules, CASES) {
            assert_eq!(again(&case), case);
        }
    }
}

/// `case` as it is read from the file that it is written to.
pub(crate) fn again(case: &Case) -> Case {
    let text = case_yaml(case);
    let read = load_str("random.yaml", &text);
    let mut read = read.unwrap_or_else(|e| panic!("{}\n{text}", e.render(Style::Plain)));
    assert_eq!(read.cases.len(), 1);
    let mut read = read.cases.remove(0);
    read.place = case.place.clone();
    read
}

#[test]
fn wishes_are_kept() {
    let series = Series::new(5);
    for rules in [Rules::Legal, Rules::Broken(3), Rules::Wild] {
        for (max_lanes, target) in [(1, Target::Cpu), (7, Target::A2a3), (4096, Target::A5)] {
            let wish = Wish {
                rules,
                max_lanes,
                forms: vec![Form::Mscatter, Form::MgatherL1, Form::TscatterMask],
                targets: vec![target],
                readings: None,
            };
            for number in 0..200 {
                let case = draw(&mut series.number(number), &wish).case;
                let tile = case.call.data_tile();
                let lanes = tile.valid_row.get() * tile.valid_col.get();
                assert!(lanes <= max_lanes, "{lanes} lanes");
                assert!(wish.forms.contains(&Form::of(&case.call)));
                assert_eq!(case.targets, [target]);
            }
        }
    }
}

/// A form that no wished target has gives way to one that a target has, and
/// where there is none it is drawn for its own targets.
#[test]
fn forms_give_way_to_targets() {
    let wish = |forms: &[Form]| Wish {
        forms: forms.to_vec(),
        targets: vec![Target::Cpu],
        ..Wish::default()
    };
    let series = Series::new(6);
    for number in 0..100 {
        let both = wish(&[Form::MscatterFirst, Form::Tgatherb]);
        let case = draw(&mut series.number(number), &both).case;
        assert_eq!(Form::of(&case.call), Form::Tgatherb);
        let only = wish(&[Form::MscatterFirst]);
        let case = draw(&mut series.number(number), &only).case;
        assert_eq!(case.targets, [Target::A5]);
        let nothing = Wish {
            forms: Vec::new(),
            targets: Vec::new(),
            max_lanes: 0,
            ..Wish::default()
        };
        assert!(
            !draw(&mut series.number(number), &nothing)
                .case
                .targets
                .is_empty()
        );
    }
}

/// Where no form is named, any that a wished target has takes the place of one
/// that none of them has.
#[test]
fn targets_are_kept_to_where_no_form_is_named() {
    let series = Series::new(6);
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        for rules in [Rules::Legal, Rules::Broken(1), Rules::Wild] {
            let wish = Wish {
                rules,
                forms: Vec::new(),
                targets: vec![target],
                ..Wish::default()
            };
            for number in 0..200 {
                let case = draw(&mut series.number(number), &wish).case;
                assert_eq!(case.targets, [target], "{rules:?} {number}");
            }
        }
    }
}
