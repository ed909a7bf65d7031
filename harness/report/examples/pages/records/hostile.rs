//! Names that would do something if they were not data.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, ReadingUse, Slot, TargetVerdict, TraceText};

use super::{A5, Cpu, because, violating};

/// Text that would be markup, a script, a command or a line break if it were not data.
pub(crate) const HOSTILE: [&str; 6] = [
    "<script>document.title='owned'</script>",
    "\"><img src=x onerror=\"document.title='owned'\">",
    "</script><!--<script>",
    "'; touch owned; '",
    "a\u{2028}b\u{2029}c\u{202e}d\n\t{{ 7919 * 7907 }}",
    "&lt;b&gt;%3Cb%3E#case?id=x&q=y",
];

/// Cases whose every text is [`HOSTILE`].
pub(crate) fn hostile() -> Vec<CaseRecord> {
    HOSTILE.iter().map(|text| hostile_case(text)).collect()
}

fn hostile_case(text: &str) -> CaseRecord {
    let mut one = violating("cases/x.yaml", "x", text);
    let all = || text.to_owned();
    one.id = format!("x/{text}");
    one.name = all();
    one.file = format!("cases/{text}.yaml");
    one.name_differs = Some(all());
    one.holes = vec![all()];
    one.call.insert(all(), all());
    one.covers.clauses = vec![all()];
    one.covers.gap = Some(all());
    one.outlier = Some(Party::form(A5, text));
    one.targets.insert(
        Party::form(A5, text),
        because(TargetVerdict::Rejected, text, text),
    );
    for part in one.targets.values_mut() {
        for finding in &mut part.findings {
            finding.what = all();
            finding.clause = Some(all());
            finding.schedule = Some(all());
            finding.slot.iter_mut().for_each(|slot| spoil(slot, text));
        }
    }
    for two in &mut one.pairs {
        two.why = Some(all());
        two.clauses = vec![all()];
        two.failure_groups = vec![all()];
        two.slots.iter_mut().for_each(|slot| spoil(slot, text));
    }
    one.readings.push(ReadingUse {
        gap: all(),
        clauses: vec![all()],
        choice: all(),
        differs_under: [(all(), vec![A5])].into(),
        verdict_under: BTreeMap::new(),
    });
    if let Some(detail) = &mut one.detail {
        detail.yaml = all();
        detail.traces.insert(Cpu, TraceText::of([all()]));
    }
    one
}

fn spoil(slot: &mut Slot, text: &str) {
    let all = || text.to_owned();
    slot.at = all();
    slot.permitted = Some(all());
    slot.clauses = vec![all()];
    slot.schedule = Some(all());
    for value in slot.got.values_mut() {
        value.value = all();
        value.bits = all();
    }
}
