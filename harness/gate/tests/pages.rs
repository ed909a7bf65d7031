//! What the gate says of a record: the pages of `judged`.
//!
//! A block `yaml` is the record of a run, over the cases of `record/tests/made.yaml`; `yaml
//! before` behind it that of the baseline, which else is of the same run; `yaml waivers` the
//! waivers, where `$rest` stands for what they say beside that. A block `text` has what comes of
//! it, and `text DAY` on another day than the 22nd of November 2026; `text shown` has the
//! failures as they are printed, `text entries` the waivers that are proposed, which hide all of
//! them, flaky ones among both, and `text blessed` the diff that is, `text blessed first` where
//! there is no baseline.

use std::{fmt::Write, path::Path};

use ptodiff_gate::{Baseline, Judged, Run, Waivers, bless, judge, waiver};

use crate::{
    made::{self, Record},
    shown::{differs, follow},
};

const PATH: &str = "reports/waivers.yaml";
const REST: &str = "cause: a, reference: b, owner: the team, expires: 2026-12-31";

/// What the blocks so far are.
#[derive(Default)]
struct Known {
    run: Option<Record>,
    before: Option<Record>,
    waivers: String,
    fail_flaky: bool,
}

fn run(record: &Record) -> Run {
    Run::of(&record.0, &record.1, &[])
}

pub(crate) fn waivers(text: &str) -> Waivers {
    waiver::load_str(PATH, text).unwrap_or_else(|e| panic!("{e}"))
}

impl Known {
    fn baseline(&self) -> Baseline {
        let before = self.before.as_ref().or(self.run.as_ref());
        run(before.expect("a record")).shown().clone()
    }

    fn judged(&self, baseline: &Baseline, waivers: &Waivers, day: &str) -> Judged {
        let mut run = run(self.run.as_ref().expect("a record"));
        run.fail_flaky = self.fail_flaky;
        judge(baseline, waivers, &run, day.parse().expect("a day"))
    }

    fn said(&self, day: &str) -> String {
        let judged = self.judged(&self.baseline(), &waivers(&self.waivers), day);
        let mut out = String::new();
        for one in &judged.failures {
            let _ = writeln!(out, "{} {}: {}", one.kind, one.about, one.what);
            let lines = [&one.about, &one.what, &one.remedy];
            assert!(lines.iter().all(|l| !l.is_empty()), "{one:?}");
        }
        for one in &judged.waived {
            let _ = writeln!(out, "waiver {} hides {one}", one.waiver);
        }
        for one in &judged.follow {
            let _ = writeln!(out, "follows {} {}", one.kind, one.about);
        }
        for id in &judged.unlisted {
            let _ = writeln!(out, "new {id}");
        }
        for party in &judged.new_parties {
            let _ = writeln!(out, "new {party}");
        }
        out
    }

    /// What is proposed, which leaves what it says.
    fn blessed(&self, present: Option<&str>) -> String {
        let run = run(self.run.as_ref().expect("a record"));
        let known = waivers(&self.waivers);
        let path = Path::new("reports/baseline.json");
        let blessing = match bless(&run, path, present, &known, TODAY.parse().expect("a day")) {
            Ok(blessing) => blessing,
            Err(error) => return error.to_string(),
        };
        let left = |name: &Path, is: &str| {
            let change = blessing.changes.iter().find(|change| change.path == name);
            change.map_or(is.to_owned(), |change| change.after.clone())
        };
        let baseline = left(path, present.unwrap_or_default());
        let left = waivers(&left(Path::new(PATH), &self.waivers));
        let baseline = Baseline::read(&baseline).expect("a baseline");
        let judged = self.judged(&baseline, &left, TODAY);
        assert_eq!(judged.failures, blessing.remaining);
        let remains = blessing.remaining.iter();
        let remains: String = remains
            .map(|f| format!("remains {} {}\n", f.kind, f.about))
            .collect();
        blessing.diff() + &remains
    }
}

pub(crate) const TODAY: &str = "2026-11-22";

#[test]
fn each_record_is_judged_as_its_page_has_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judged");
    follow(&folder, |known: &mut Known, tag, text| {
        match tag {
            "yaml" => {
                *known = Known {
                    run: Some(made::record(text)),
                    before: None,
                    waivers: "waivers: []\n".to_owned(),
                    fail_flaky: false,
                };
                return None;
            }
            "yaml before" => {
                known.before = Some(made::record(text));
                return None;
            }
            "yaml waivers" => {
                known.waivers = text.replace("$rest", REST);
                return None;
            }
            _ => {}
        }
        known.fail_flaky = ["text shown", "text entries"].contains(&tag);
        let judged = || known.judged(&known.baseline(), &waivers(&known.waivers), TODAY);
        let made = match tag.strip_prefix("text").expect(tag).trim_start() {
            "" => known.said(TODAY),
            "shown" => judged().failures.iter().map(|f| format!("{f}\n")).collect(),
            "entries" => {
                let entries = judged().entries.concat();
                let present = known.waivers.trim_end_matches(" []\n").trim_end();
                let words = [
                    ("YYYY-MM-DD", "2026-12-31"),
                    ("WHY", "a"),
                    ("WHERE", "b"),
                    ("WHO", "c"),
                ];
                let filled = words
                    .iter()
                    .fold(format!("{present}\n{entries}"), |all, (from, to)| {
                        all.replace(from, to)
                    });
                let left = known.judged(&known.baseline(), &waivers(&filled), TODAY);
                assert_eq!(left.failures, []);
                entries
            }
            "blessed" => known.blessed(Some(&known.baseline().text())),
            "blessed first" => known.blessed(None),
            day => known.said(day),
        };
        differs(text, made)
    });
}
