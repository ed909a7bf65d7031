//! What is told of a failure: the same lines in the terminal, JUnit, Markdown and
//! annotations, each a word and what it says.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ptodiff_isa::{Instruction, Party, Role, Target};
use ptodiff_record::{
    CaseRecord, Finding, Header, Reason, Slot, SlotValue, TargetRecord, TargetVerdict, Wrong,
    counted, joined, reproduce::reproduce,
};

use crate::{
    group::{Divergence, Kind},
    slot::{alike, lanes, place, value},
    style::{BAD, BOLD, DIM},
};

/// Most lines of a failure, the one that names it included.
pub const LINES: usize = 12;

/// Most lines of a diagnosis, and of what an implementation said last beside a slot.
const MOST: usize = 2;

/// Most lines of what an implementation said last where there is no slot: a crash, whose
/// reason they are.
const CRASH: usize = 5;

/// Characters of a clause's statement.
const STATEMENT: usize = 240;

/// A word, and what it says.
pub(crate) type Line = (&'static str, String);

impl Divergence {
    /// What was found in one line, for readers that show no more of a failure.
    pub(crate) fn brief(&self) -> String {
        let case = &self.first;
        let value = self.slots.first().and_then(|slot| {
            let expected = slot.expected()?;
            let expected = match expected.strip_prefix("kept ") {
                Some(kept) => format!("{kept} as it was"),
                None => expected.to_owned(),
            };
            let (party, got) = slot.got.iter().next()?;
            let (place, got) = (place(case, slot), value(got));
            Some(format!(
                "{place}: expected {expected}, got {got} from {party}"
            ))
        });
        value.unwrap_or_else(|| self.said())
    }

    /// Where it is, what stands there and what may, and the rule.
    pub(crate) fn found(&self) -> Vec<Line> {
        let case = &*self.first;
        let place = format!("{}  {}:{}", case.id, case.file, self.line);
        let mut lines = vec![("case", place)];
        let slot = self.slots.first();
        let (due, clauses) = self.due();
        match slot.and_then(|slot| Some((slot, slot.expected()?))) {
            Some((slot, expected)) => {
                // Of wrong values no more is told of what was found.
                if let Some((_, behind)) = self.said().split_once(Finding::BEHIND) {
                    lines.push(("found", format!("seen twice behind {behind}")));
                }
                self.value(slot, expected, &mut lines);
            }
            None => {
                lines.push(("found", self.said()));
                if let Some(due) = due {
                    lines.push(("expected", due));
                } else if let Some(outlier) = self.outlier() {
                    lines.push(("outlier", outlier.to_string()));
                }
                if let Some(slot) = slot {
                    self.values(slot, &mut lines);
                }
            }
        }
        lines.extend(match (rule(&clauses, self.named_by()), self.open()) {
            (Some(rule), Some(open)) => Some(("rule", format!("{rule}; open: {open}"))),
            (Some(rule), None) => Some(("rule", rule)),
            (None, open) => open.map(|open| ("open", open)),
        });
        let (words, said) = (self.last_words(), self.said());
        // What a sanitizer writes behind what it found is no reason.
        let is_told = |word: &String| said.contains(&format!(": {word}"));
        let told = words.iter().rposition(is_told);
        let words = &words[..told.map_or(words.len(), |at| at + 1)];
        let most = if slot.is_some() { MOST } else { CRASH };
        let words = &words[words.len().saturating_sub(most)..];
        lines.extend(words.iter().map(|line| ("stderr", line.clone())));
        lines.extend(help(self.kind, case, &self.failure_groups));
        // That every model is against the case comes before all else.
        lines.sort_by_key(|(word, _)| *word != "models");
        lines
    }

    /// The gaps that decide what a party owes in the first case: those of which another reading
    /// has it otherwise, and the one that the case is about.
    pub(crate) fn open(&self) -> Option<String> {
        let case = &*self.first;
        let is_own = |targets: &[Target]| {
            let mut own = self.findings().map(|(party, ..)| party.target);
            own.any(|target| targets.contains(&target))
        };
        let read = case.readings.iter().filter_map(|reading| {
            let others = reading.differs_under.iter();
            let others = others.filter_map(|(other, on)| is_own(on).then_some(other));
            let others = joined(others, " or ");
            let gaps = reading.clauses.iter();
            let gaps = gaps.filter(|id| id.starts_with(<&str>::from(case.instruction)));
            let (gaps, gap, choice) = (joined(gaps, " and "), &reading.gap, &reading.choice);
            (!others.is_empty()).then(|| format!("{gaps} ({gap}={choice}, not {others})"))
        });
        let read = joined(read, ", ");
        let of_case = case.covers.gap.as_deref();
        let of_case = of_case
            .filter(|gap| !read.contains(gap))
            .unwrap_or_default();
        let all = joined(
            [of_case, &read].iter().filter(|part| !part.is_empty()),
            ", ",
        );
        (self.kind == Kind::Violation && !all.is_empty()).then_some(all)
    }

    /// What is due in the place of what was found, where that is no answer, and the clauses: that
    /// of the case that is shown first.
    pub(crate) fn due(&self) -> (Option<String>, Vec<&str>) {
        let due = self.findings().find_map(|(.., f)| due(&self.first, f));
        let with_clause = self.findings().filter(|(.., f)| f.clause.is_some());
        let first = with_clause.min_by_key(|(.., f)| f.what != self.what);
        let first = first.and_then(|(.., f)| f.clause.as_deref());
        let slot = self.slots.first();
        let of_slot = |id: &str| slot.is_some_and(|slot| slot.clauses.iter().any(|c| c == id));
        let mut clauses: Vec<&str> = self.clauses.iter().map(String::as_str).collect();
        clauses.sort_by_key(|id| !of_slot(id));
        match (&due, first) {
            (Some(_), None) => clauses.clear(),
            (None, _) if slot.is_some() => {}
            (_, first) => clauses.sort_by_key(|clause| Some(*clause) != first),
        }
        (due, clauses)
    }

    /// One party's value in a slot, and what was expected there.
    fn value(&self, slot: &Slot, expected: &str, lines: &mut Vec<Line>) {
        let case = &*self.first;
        let mut at = place(case, slot);
        if let Some(Wrong { slots, of, .. }) = self.wrong {
            let is = if slots == 1 { "is" } else { "are" };
            at.push_str(&format!("; {slots} of {} {is} wrong", counted(of, "slot")));
        }
        if let Some(schedule) = &self.schedule {
            at.push_str(&format!("; schedule {schedule}"));
        }
        lines.push(("slot", at));
        lines.push((
            "expected",
            match expected.strip_prefix("kept ") {
                Some(kept) => format!("{kept}, as it was: nothing may write here"),
                None => expected.to_owned(),
            },
        ));
        for (got, parties) in alike(&slot.got) {
            let from = match parties.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, first)) => format!("{} and {last}", first.join(", ")),
                None => String::new(),
            };
            let mut text = format!("{} from {from}", value(got));
            let dtype = case.call.get("dtype").map_or("", String::as_str);
            // The case's dtype is not that of its indices.
            let due = slot.due_bits().filter(|_| slot.role != Role::Index);
            if let Some(ulps) = due.and_then(|due| ulps(dtype, due, got)) {
                text.push_str(&format!(", {ulps} ULP away"));
            }
            if got.bits == slot.initial.bits && slot.due_bits() != Some(&*got.bits) {
                text.push_str(", as it was before the call");
            }
            lines.push(("got", text));
        }
        let (whose, due) = (slot.whose.join(" or "), slot.due.join(" or "));
        let whose = (!whose.is_empty()).then(|| format!("the value of {whose}"));
        // A byte that is kept is no element's.
        let is_element = !due.is_empty() && !expected.starts_with("kept ");
        let due = is_element.then(|| format!("that of {due} is due"));
        let both = joined(whose.into_iter().chain(due), "; ");
        if !both.is_empty() {
            lines.push(("whose", both));
        }
        lines.extend(who(case, slot));
    }

    /// Several parties' values in a slot.
    fn values(&self, slot: &Slot, lines: &mut Vec<Line>) {
        let schedule = slot.schedule.as_ref();
        let schedule = schedule.map_or_else(String::new, |s| format!("; schedule {s}"));
        lines.push(("slot", format!("{}{schedule}", place(&self.first, slot))));
        let got = slot.got.iter();
        let got = got.map(|(party, got)| format!("{} from {party}", value(got)));
        lines.push(("got", joined(got, ", ")));
        lines.extend(who(&self.first, slot));
    }
}

/// What is due in the place of what was found, where that is no answer.
fn due(case: &CaseRecord, finding: &Finding) -> Option<String> {
    let mut words = finding.failure_group.split(' ').skip(1);
    let (party, what) = (words.next()?.parse::<Party>().ok()?, words.next()?);
    let model = case.targets.get(&Party::of(party.target));
    let otherwise = model.and_then(|model| Some((model.verdict, model.reasons.first()?)));
    let has_none = match what {
        // It may be that a call returns which must not.
        "hang" => finding.what == "never returns",
        other => ["crash", "timeout", "memory", "protocol"].contains(&other),
    };
    has_none.then(|| match (&finding.clause, otherwise) {
        (_, Some((TargetVerdict::Hangs, Reason { clause, .. }))) => {
            format!("it never returns, by {clause}")
        }
        (Some(clause), _) => format!("rejected by {clause}"),
        (None, Some((TargetVerdict::Rejected, Reason { clause, .. }))) => {
            format!("rejected by {clause}")
        }
        (None, Some((TargetVerdict::Undefined, Reason { clause, .. }))) => {
            format!("any result: {clause} promises none")
        }
        (None, _) => "a result: the call is legal".to_owned(),
    })
}

/// The lanes of a slot, with the index that chose it or its value.
fn who(case: &CaseRecord, slot: &Slot) -> Option<Line> {
    let mut all = lanes(slot).join(" ");
    if all.is_empty() {
        return None;
    }
    if slot.more_lanes > 0 {
        all.push_str(&format!(" and {} more", slot.more_lanes));
    }
    let gathers = matches!(
        case.instruction,
        Instruction::Mgather | Instruction::Tgatherb
    );
    Some((if gathers { "lane" } else { "writers" }, all))
}

/// What may be behind it: lines that are known of a group, and not of a case.
pub(crate) fn likely(group: &Divergence) -> Vec<Line> {
    likely_but(group, "the page has ")
}

/// The same; what is told of those explanations that are left out begins so.
fn likely_but(group: &Divergence, more_in: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let cause = group.cause.as_ref();
    lines.extend(cause.map(|cause| ("in common", cause.said())));
    let failure = group.diagnosed();
    // The first is the best. Where the time was up the last says so.
    let second = match group.diagnosis.as_ref().is_some_and(|d| d.unfinished) {
        true => failure.len().saturating_sub(1).max(1),
        false => 1,
    };
    let shown = [0, second].into_iter().filter_map(|n| failure.get(n));
    lines.extend(shown.map(|(line, _)| ("diagnosis", line.clone())));
    if let (Some(more @ 1..), Some((_, last))) = (failure.len().checked_sub(MOST), lines.last_mut())
    {
        let more = counted(more as u64, "more explanation");
        last.push_str(&format!("; {more_in}{more}"));
    }
    lines
}

/// What may be behind a group, as lines of text, where there is no page.
#[must_use]
pub fn likely_lines(group: &Divergence) -> Vec<String> {
    text(&likely_but(group, "and "))
}

/// The first clause in one sentence, and which others there are. Who is `named_by` may name one
/// of another target.
fn rule(clauses: &[&str], named_by: Option<&Party>) -> Option<String> {
    /// Further clauses that are named.
    const NAMED: usize = 3;
    let (first, others) = clauses.split_first()?;
    let mut text = match named_by {
        Some(party) => format!("{party} names {first}"),
        None => (*first).to_owned(),
    };
    if let Some(entry) = ptodiff_register::find(first) {
        if named_by.is_some_and(|party| !entry.targets.contains(&party.target)) {
            text.push_str(&format!(", which is of {}", joined(entry.targets, " and ")));
        }
        text.push_str(&format!(": {}", shortened(entry.first_sentence())));
        if let Some(so) = entry.fixed() {
            text.push_str(&format!("; read so: {}", shortened(so)));
        }
    }
    if !others.is_empty() {
        let named = &others[..others.len().min(NAMED)];
        text.push_str(&format!(" (also {}", named.join(", ")));
        if let Some(more @ 1..) = others.len().checked_sub(NAMED) {
            text.push_str(&format!(" and {more} more"));
        }
        text.push(')');
    }
    Some(text)
}

/// A sentence without its full stop, cut where it is long.
fn shortened(sentence: &str) -> String {
    let first = sentence.trim_end_matches('.');
    match first.char_indices().nth(STATEMENT) {
        None => first.to_owned(),
        Some((at, _)) => {
            let cut = first[..at].rfind(' ').unwrap_or(at);
            format!("{} ...", &first[..cut])
        }
    }
}

/// Values of the type between two; none where it has no floats that are summed.
fn ulps(dtype: &str, due: &str, got: &SlotValue) -> Option<u64> {
    if !matches!(dtype, "half" | "bfloat16_t" | "float") {
        return None;
    }
    let order = |bits: &str| {
        let digits = bits.strip_prefix("0x")?;
        let (bits, width) = (u64::from_str_radix(digits, 16).ok()?, 4 * digits.len());
        let sign = 1u64.checked_shl(u32::try_from(width).ok()? - 1)?;
        let magnitude = i64::try_from(bits & (sign - 1)).ok()?;
        Some(if bits & sign == 0 {
            magnitude
        } else {
            -magnitude
        })
    };
    let number = |value: &str| value.parse::<f32>().is_ok_and(|value| !value.is_nan());
    number(&got.value).then_some(())?;
    let ulps = order(due)?.abs_diff(order(&got.bits)?);
    // Where they are far apart, by a factor of two or so, the number says nothing.
    let most = match dtype {
        "half" => 1 << 10,
        "bfloat16_t" => 1 << 7,
        _ => 1 << 20,
    };
    (1..=most).contains(&ulps).then_some(ulps)
}

/// What the case may say instead, where every model is against it what it says.
fn help(kind: Kind, case: &CaseRecord, groups: &BTreeSet<String>) -> Vec<Line> {
    if kind != Kind::Expectation {
        return Vec::new();
    }
    let models = || {
        case.targets
            .iter()
            .filter(|(party, _)| party.form.is_none())
    };
    let expected = models().filter(|(party, _)| case.covers.targets.contains(&party.target));
    let expected: Vec<_> = expected.map(|(_, target)| target).collect();
    // A model may do what a case expects that promises too much.
    let against = |f: &Finding| {
        Kind::of(f) == Kind::Expectation && !f.what.starts_with("the case leaves out")
    };
    let unmet =
        |t: &&TargetRecord| t.verdict == TargetVerdict::Violates && t.findings.iter().any(against);
    let mut lines = Vec::new();
    if expected.len() > 1 && expected.iter().all(unmet) {
        let all = expected.len();
        let text = format!("all {all} models agree against what the case expects");
        lines.push(("models", text));
    }
    let own = |t: &&TargetRecord| {
        // A hole says itself what it has become.
        let mut findings = t
            .findings
            .iter()
            .filter(|f| !f.what.starts_with("the hole is gone"));
        findings.any(|f| groups.contains(&f.failure_group))
    };
    // Targets that end so for the same reason are told together.
    let mut ends: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (party, target) in models().filter(|(_, t)| own(t)) {
        let Some(reason) = target.reasons.first() else {
            continue;
        };
        let (why, outcome) = (reason.why.as_str(), outcome(target));
        let by = format!("{}: {}", party.target, reason.clause);
        match ends.iter_mut().find(|end| (end.0, end.1) == (why, outcome)) {
            Some((_, _, all)) => all.push(by),
            None => ends.push((why, outcome, vec![by])),
        }
    }
    lines.extend(ends.into_iter().take(MOST).map(|(why, outcome, by)| {
        let by = by.join(", ");
        ("help", format!("{why}: or say {outcome}: {{{by}}}"))
    }));
    lines
}

/// The key by which a case says how a target without a result ends.
fn outcome(target: &TargetRecord) -> &'static str {
    let what = target.findings.iter().map(|f| f.what.as_str());
    let begins = |word| what.clone().any(|what: &str| what.starts_with(word));
    let mut reasons = target.reasons.iter();
    let never_returns = reasons.any(|reason| reason.why == Reason::NEVER_RETURNS);
    match () {
        () if begins("rejects") => "rejected",
        () if never_returns => "hangs",
        () => "undefined",
    }
}

/// The line that names a group.
pub(crate) fn head(group: &Divergence) -> String {
    let cases = counted(group.cases, "case");
    format!("{} {}, {cases}", group.kind.word(), group.failure_group)
}

/// `lines` as text: each word in a column of its own.
pub(crate) fn text(lines: &[Line]) -> Vec<String> {
    let mut last = "";
    let line = |(word, says): &Line| {
        let lead = if *word == last { "" } else { word };
        last = word;
        format!("  {lead:<9}  {says}")
    };
    lines.iter().map(line).collect()
}

/// Writes every group: its first case in full, and how to run that case again. What
/// clauses permit is told shortly.
///
/// # Errors
/// What the writer gives.
pub fn write_groups<'a>(
    mut to: impl Write,
    header: &Header,
    groups: impl IntoIterator<Item = &'a Divergence>,
) -> io::Result<()> {
    for group in groups {
        let word = group.kind.word();
        let style = if group.kind.fails() { BAD } else { BOLD };
        let head = head(group);
        writeln!(to, "\n{style}{word}{style:#}{}", &head[word.len()..])?;
        for line in text(&lines_of(header, group)) {
            let (lead, says) = line.split_at(line.len().min(13));
            writeln!(to, "{DIM}{lead}{DIM:#}{says}")?;
        }
    }
    Ok(())
}

/// What is told of a group: of one that fails in at most [`LINES`] with the one that names it.
pub(crate) fn lines_of(header: &Header, group: &Divergence) -> Vec<Line> {
    let case = &*group.first;
    let mut lines;
    if group.kind.fails() {
        lines = group.found();
        lines.extend(likely(group));
    } else {
        let place = format!("{}  {}:{}", case.id, case.file, case.line);
        lines = vec![("case", place)];
        let waived = group.waived.as_deref();
        let waived = waived.map(|said| said.trim_start_matches("waived "));
        lines.extend(waived.map(|said| ("waived", said.to_owned())));
        lines.push(("found", group.said()));
        let slot = group
            .slots
            .first()
            .map(|slot| crate::slot::line(case, slot));
        lines.extend(slot.map(|slot| ("slot", slot)));
        lines.extend(rule(&group.due().1, None).map(|rule| ("rule", rule)));
    }
    lines.push(("reproduce", reproduce(header, case)));
    lines
}
