//! What the closing line of a run says.

use ptodiff_isa::Party;
use ptodiff_record::Header;

use crate::{group::Divergence, summary::Summary, totals::RunTotals};

/// How many cases, and what came of them; of data folders how many files were judged: these are
/// what an implementation left.
#[must_use]
pub fn said(
    header: &Header,
    totals: &RunTotals,
    summary: &Summary,
    groups: &[Divergence],
) -> String {
    let Some(data) = &header.st_data else {
        return totals.said(groups, "no implementation tested");
    };
    let judged = |file: &str| {
        let counts = summary.tally.targets.get(&Party::form(data.held_to, file));
        counts.map_or(0, |counts| counts.iter().sum())
    };
    let golden = judged("golden.bin");
    let judged = match judged("output.bin") {
        0usize => format!("{golden} golden.bin judged, no output.bin"),
        output => format!("{golden} golden.bin and {output} output.bin judged"),
    };
    totals.said(groups, &judged)
}
