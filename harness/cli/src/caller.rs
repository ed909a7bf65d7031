//! What a caller owes, in words.

use ptodiff_isa::{Call, Clause, Target};
use ptodiff_runner::{Duty, duties};

/// What the caller of `call` owes on `target`, a sentence each with its clause or gap.
pub(crate) fn owed(call: &Call, target: Target) -> Vec<(String, Clause)> {
    let all = duties(call, target).into_iter();
    all.map(|(duty, by)| (words(duty), by)).collect()
}

fn words(duty: Duty) -> String {
    match duty {
        Duty::BeforeCall(from, to) => format!(
            "set_flag and wait_flag(PIPE_{from}, PIPE_{to}) between the loads of its operands \
             and the call"
        ),
        Duty::BeforeStore(from, to) => format!(
            "set_flag and wait_flag(PIPE_{from}, PIPE_{to}) between the call and a store of \
             the tile"
        ),
        Duty::Flush => "dcci of the whole data cache and dsb behind the call, where the host \
                        reads the table"
            .to_owned(),
        Duty::Alone => "no other live data where the destination lies, its padding included: \
                        the call zeroes all of it first"
            .to_owned(),
        Duty::Unsaid => "no document says which flags the caller owes".to_owned(),
    }
}

/// The same as lines of comments, for text that other tools read.
pub(crate) fn comments(call: &Call, target: Target) -> Vec<String> {
    let line = |(text, by): (String, Clause)| format!("// {target}: {text} ({by})");
    owed(call, target).into_iter().map(line).collect()
}
