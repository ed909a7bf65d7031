//! What is odd about how an operation is written, though it reads well.

use std::ops::Range;

use ptodiff_isa::{Call, Coalesce, Role};

use crate::operation::{Operand, Operation};

/// What is odd about an operation.
pub(crate) struct Remark {
    pub(crate) rule: &'static str,
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Adds to `remarks` what is odd about how `call` is written.
pub(crate) fn remarks(written: &Operation<'_>, call: &Call, remarks: &mut Vec<Remark>) {
    // A gather to L1 fills its scratch before it reads it.
    let (reads, scratch) = written.ins.split_at(written.ins.len().min(2));
    let writes = scratch.iter().chain([&written.out]);
    let both = |o: &&Operand<'_>| writes.clone().any(|out| out.name.text == o.name.text);
    if let Some(same) = reads.iter().find(both) {
        let (rule, but) = match call {
            Call::TscatterMask(_) => (
                "precondition",
                "A5 zeroes it before it reads it (TSCATTER-MASK-12)",
            ),
            _ => ("same-operand", "no document says in which order"),
        };
        remarks.push(Remark {
            rule,
            at: same.name.range(),
            message: format!(
                "`{}` is read and written: {but}, and ptodiff keeps the two apart",
                same.name.text
            ),
            help: Some("write to one of its own".to_owned()),
        });
    }
    if let Some(mode) = call.mode()
        && written.attributes.get("coalesce").is_none()
    {
        let like_data = match call
            .operand(Role::Index)
            .and_then(|idx| idx.tile().copied())
        {
            Some(idx) => {
                let data = call.data_tile();
                idx.valid_row.get() == data.valid_row.get()
                    && idx.valid_col.get() == data.valid_col.get()
            }
            None => false,
        };
        debug_assert_eq!(mode, Coalesce::default());
        let but = match like_data {
            true => "; the index has the data's shape, which is how Elem is written",
            false => "",
        };
        remarks.push(Remark {
            rule: "missing-coalesce",
            at: written.name.range(),
            message: format!(
                "no `coalesce`: taken as Row, the default of the C++ call; versions of the \
                 assembler take the mode from the index's shape, or reject it{but}"
            ),
            help: Some("write `coalesce = #pto<coalesce row>`, or `elem`".to_owned()),
        });
    }
}
