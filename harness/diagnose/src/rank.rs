//! Which explanations are told, and in which order.

use std::{cmp::Reverse, collections::BTreeSet};

use ptodiff_record::{Diagnosis, Fit, Near};

use crate::explanation::EDITION;

/// How many explanations of one group are told.
pub(crate) const TOLD: usize = 3;

/// How the name of a mistake ends in an implementation that keeps inside its operands.
const INSIDE: &str = "+zeros-outside";

/// Whether it is two mistakes: to keep inside operands is none.
pub(crate) fn is_pair(fit: &Fit) -> bool {
    fit.name.contains('+') && !fit.name.ends_with(INSIDE)
}

/// Whether it is several: a pair, or the readings of an edition.
fn is_several(fit: &Fit) -> bool {
    is_pair(fit) || fit.name.starts_with(EDITION)
}

/// The best first, weak ones last; one mistake before several.
pub(crate) fn rank(of_group: &mut Diagnosis) {
    let failures = of_group.failures;
    of_group.fits.sort_by_key(|fit| {
        // A pass that it contradicts weighs as much as a failure that it explains.
        let weight = fit.explains.saturating_sub(fit.contradicts);
        let weight = match is_pair(fit) {
            // Of all pairs with a true mistake one explains a few more by chance.
            true if fit.explains < failures => weight * 3 / 4,
            true => weight * 9 / 10,
            false => weight,
        };
        let open = Reverse(fit.unpromised);
        (
            fit.is_weak(),
            Reverse(weight),
            fit.contradicts,
            is_several(fit),
            open,
        )
    });
    // One after the other or the reverse is the same to a reader; so are two that say
    // the same of two targets.
    let (mut told, mut names) = (BTreeSet::new(), BTreeSet::new());
    of_group.fits.retain(|fit| {
        // To keep inside operands as well says no more where it changes nothing.
        let plain = fit.name.trim_end_matches(INSIDE).to_owned();
        let is_new = names.insert((plain, fit.explains, fit.contradicts));
        let mut parts: Vec<String> = fit.sentence.split(", and ").map(str::to_owned).collect();
        parts.sort_unstable();
        told.insert(parts) && is_new
    });
    if let Some(best) = of_group.fits.first().cloned() {
        let (whole, several) = (best.explains == of_group.failures, is_several(&best));
        // Beside what explains all a part is no news, nor are several mistakes beside one.
        of_group.fits.retain(|fit| {
            (!whole || fit.explains == best.explains) && (several || !is_several(fit))
        });
    }
    if !of_group.fits.is_empty() {
        of_group.nearest = None;
    }
}

pub(crate) fn come_near(of_group: &mut Diagnosis, near: Near) {
    // What leaves all is held against all cases.
    if near.same == near.of && near.others == 0 {
        return;
    }
    // What has as many others wrong is near to nothing, and one value is the same by chance.
    let score = |near: &Near| near.same.saturating_sub(near.others);
    if score(&near) > of_group.nearest.as_ref().map_or(1, score) {
        of_group.nearest = Some(near);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_four() -> Diagnosis {
        Diagnosis {
            party: "a5:mine".parse().expect("a party"),
            failure_group: "S".into(),
            also: Vec::new(),
            failures: 4,
            elsewhere: 0,
            passes: 40,
            fits: Vec::new(),
            nearest: None,
            together: false,
            unfinished: false,
        }
    }

    #[test]
    fn one_value_that_is_the_same_is_near_to_nothing() {
        let mut of_group = of_four();
        let near = |same, others| Near {
            name: "n".into(),
            sentence: "does it".into(),
            case: "a/b".into(),
            same,
            of: 9,
            others,
        };
        come_near(&mut of_group, near(1, 0));
        come_near(&mut of_group, near(4, 4));
        come_near(&mut of_group, near(9, 0));
        assert_eq!(of_group.nearest, None);
        come_near(&mut of_group, near(2, 0));
        come_near(&mut of_group, near(5, 3));
        assert_eq!(of_group.nearest.map(|near| near.same), Some(2));
    }

    #[test]
    fn what_many_passes_contradict_stands_behind_what_none_does() {
        let fit = |name: &str, explains, contradicts| Fit {
            name: name.into(),
            sentence: format!("does {name}"),
            explains,
            contradicts,
            unpromised: 0,
            first: None,
        };
        let mut of_group = Diagnosis {
            fits: vec![fit("all", 4, 30), fit("some", 3, 0), fit("few", 4, 5)],
            ..of_four()
        };
        rank(&mut of_group);
        let names: Vec<&str> = of_group.fits.iter().map(|fit| &*fit.name).collect();
        assert_eq!(names, ["some", "few", "all"]);
        // One mistake that explains nearly as much as two does; where these explain all, nearly all.
        for (two, one, first) in [(15, 12, "a"), (20, 15, "a+b"), (20, 19, "a")] {
            let mut of_group = Diagnosis {
                failures: 20,
                fits: vec![fit("a+b", two, 0), fit("a", one, 0)],
                ..of_four()
            };
            rank(&mut of_group);
            assert_eq!(of_group.fits.len(), 1);
            assert_eq!(of_group.fits[0].name, first);
        }
        // The same with zeros outside of operands, where that makes a difference.
        for (explains, count) in [(2, 1), (3, 2)] {
            let mut of_group = Diagnosis {
                fits: vec![fit("b", 2, 0), fit("b+zeros-outside", explains, 0)],
                ..of_four()
            };
            rank(&mut of_group);
            assert_eq!(of_group.fits.len(), count);
        }
        // Of 4 failures and 40 passes.
        assert!(fit("few", 4, 5).tells(4, 40) && fit("none", 1, 0).tells(4, 0));
        assert!(fit("all", 4, 40).tells(4, 40) && fit("most", 3, 9).tells(4, 40));
        assert!(!fit("noise", 3, 10).tells(4, 40) && !fit("seldom", 1, 1).tells(4, 40));
    }
}
