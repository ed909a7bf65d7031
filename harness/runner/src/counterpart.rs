//! Further forms of a case on the same target, to be compared with it.

use ptodiff_isa::{
    Call, Coalesce, FirstMode, GatherExec, MgatherL1, Mscatter, MscatterFirst, Readings,
    ScatterConflict, Target,
};

/// The calls that document the same result as `call` on `target` in another
/// way, each with the name of its form.
///
/// - An Elem gather to L1 on A5 has two executors (MGATHERL1-EXEC-05).
/// - The first revision of MSCATTER was followed by the current one, which has
///   its mode as a parameter and by default keeps the last writer (003, 000).
pub(crate) fn further_forms(
    call: &Call,
    target: Target,
    readings: &Readings,
) -> Vec<(&'static str, Call)> {
    if target != Target::A5 {
        return Vec::new();
    }
    match call {
        Call::MgatherL1(call) if call.mode == Coalesce::Elem => vec![other_executor(call)],
        Call::MscatterFirst(call) => vec![current_revision(call, readings)],
        Call::Mscatter(_)
        | Call::Mgather(_)
        | Call::MgatherL1(_)
        | Call::TscatterIndex(_)
        | Call::TscatterMask(_)
        | Call::Tgatherb(_) => Vec::new(),
    }
}

fn other_executor(call: &MgatherL1) -> (&'static str, Call) {
    let (name, exec) = match call.exec {
        GatherExec::Scalar => ("Simt", GatherExec::Simt),
        GatherExec::Simt => ("Scalar", GatherExec::Scalar),
    };
    (name, Call::MgatherL1(MgatherL1 { exec, ..*call }))
}

fn current_revision(call: &MscatterFirst, readings: &Readings) -> (&'static str, Call) {
    // Where both rules of 003 fit, the reading decides (MSCATTER0-GAP-01).
    let by_row =
        call.idx.cols == 1 && (call.src.cols != 1 || readings.first_mode == FirstMode::Row);
    let current = Mscatter {
        table: call.table,
        src: call.src,
        idx: call.idx,
        mode: if by_row {
            Coalesce::Row
        } else {
            Coalesce::Elem
        },
        atomic: call.atomic,
        oob: call.oob,
        conflict: ScatterConflict::default(),
        launch: call.launch,
    };
    ("current", Call::Mscatter(current))
}
