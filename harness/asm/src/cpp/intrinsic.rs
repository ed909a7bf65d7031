//! The line that calls the intrinsic.

use ptodiff_isa::{Call, Clause, GatherExec, MaskAxis, MgatherL1, Operand, Target};

use super::{NoForm, names::Names};

/// The call with every template argument that `target`'s form of it has.
pub(super) fn line(call: &Call, target: Target) -> Result<String, NoForm> {
    Ok(written(call, &template(call, target)?))
}

/// The call in the form of an ST suite, which are A5's but for the axis of a mask.
pub(super) fn suite_line(call: &Call) -> Result<String, NoForm> {
    match call {
        Call::TscatterMask(c) if c.axis == MaskAxis::Col => Ok(written(
            call,
            &[
                format!("MaskPattern::{}", c.pattern),
                "ScatterAxis::SCATTER_COL".to_owned(),
            ],
        )),
        // CPU's suite has A5's form but for the executor.
        Call::MgatherL1(c) if c.exec == GatherExec::Simt => Err(NoForm {
            clause: Clause("MGATHERL1-EXEC-03"),
            why: "the suites' form on CPU has no GatherExec parameter",
        }),
        _ => line(call, Target::A5),
    }
}

fn written(call: &Call, arguments: &[String]) -> String {
    let arguments = if arguments.is_empty() {
        String::new()
    } else {
        format!("<{}>", arguments.join(", "))
    };
    let operands: Vec<_> = call
        .operands()
        .into_iter()
        .map(|(role, operand)| {
            let names = Names::of(call, role);
            match operand {
                Operand::Tile(_) => names.variable.to_owned(),
                Operand::Tensor(_) => names.tensor(),
            }
        })
        .collect();
    let (instruction, operands) = (call.instruction(), operands.join(", "));
    format!("{instruction}{arguments}({operands});")
}

/// The template arguments in the order of `target`'s form.
fn template(call: &Call, target: Target) -> Result<Vec<String>, NoForm> {
    let missing = |clause, why| {
        Err(NoForm {
            clause: Clause(clause),
            why,
        })
    };
    match (call, target) {
        (Call::Mscatter(_), Target::Cpu) => Ok(Vec::new()),
        (Call::Mscatter(c), Target::A2a3 | Target::A5) => {
            let mut arguments = vec![
                format!("Coalesce::{}", c.mode),
                format!("ScatterAtomicOp::{}", c.atomic),
                format!("ScatterOOB::{}", c.oob),
            ];
            if target == Target::A5 {
                arguments.push(format!("ScatterConflict::{}", c.conflict));
            }
            Ok(arguments)
        }
        (Call::MscatterFirst(c), Target::A5) => Ok(vec![
            format!("ScatterAtomicOp::{}", c.atomic),
            format!("ScatterOOB::{}", c.oob),
        ]),
        (Call::MscatterFirst(_), Target::Cpu | Target::A2a3) => missing(
            "MSCATTER0-API-01",
            "only A5 has the first revision of MSCATTER",
        ),
        (Call::Mgather(c), _) => Ok(vec![
            format!("Coalesce::{}", c.mode),
            format!("GatherOOB::{}", c.oob),
        ]),
        (Call::MgatherL1(_), Target::Cpu) => {
            missing("MGATHERL1-GAP-14", "no document gives CPU a gather to L1")
        }
        (
            Call::MgatherL1(MgatherL1 {
                exec: GatherExec::Simt,
                ..
            }),
            Target::A2a3,
        ) => missing("MGATHERL1-EXEC-03", "A2/A3 has no GatherExec parameter"),
        (Call::MgatherL1(c), Target::A2a3 | Target::A5) => {
            let mut arguments = vec![
                format!("Coalesce::{}", c.mode),
                format!("GatherOOB::{}", c.oob),
            ];
            match (c.exec, c.scratch) {
                // The form without the parameter is the scalar one (MGATHERL1-EXEC-02).
                (GatherExec::Scalar, _) => {}
                (GatherExec::Simt, Some(_)) => arguments.push(format!("GatherExec::{}", c.exec)),
                (GatherExec::Simt, None) => {
                    return missing("MGATHERL1-API-03", "GatherExec needs the scratch operand");
                }
            }
            Ok(arguments)
        }
        (Call::TscatterIndex(_) | Call::Tgatherb(_), _) => Ok(Vec::new()),
        (Call::TscatterMask(_), Target::Cpu | Target::A2a3) => {
            missing("TSCATTER-MODE-02", "only A5 has mask scatter")
        }
        (Call::TscatterMask(c), Target::A5) => match c.axis {
            MaskAxis::Row => Ok(vec![format!("MaskPattern::{}", c.pattern)]),
            MaskAxis::Col => missing(
                "TSCATTER-API-02",
                "mask scatter has no parameter for an axis",
            ),
        },
    }
}
