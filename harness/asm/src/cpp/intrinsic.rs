//! The line that calls the intrinsic.

use ptodiff_isa::{Call, Clause, GatherExec, Instruction, MaskAxis, Operand, Target};

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
    let mut arguments = call.arguments();
    let mut without = |key| arguments.retain(|own| own.key != key);
    match (call, target) {
        (Call::Mscatter(_), Target::Cpu) => arguments.clear(),
        (Call::Mscatter(_), Target::A2a3) => without("conflict"),
        (Call::MscatterFirst(_), Target::Cpu | Target::A2a3) => {
            let why = "only A5 has the first revision of MSCATTER";
            return missing("MSCATTER0-API-01", why);
        }
        (Call::MgatherL1(_), Target::Cpu) => {
            return missing("MGATHERL1-GAP-14", "no document gives CPU a gather to L1");
        }
        (Call::MgatherL1(c), Target::A2a3 | Target::A5) => match (c.exec, target, c.scratch) {
            // The form without the parameter is the scalar one (MGATHERL1-EXEC-02).
            (GatherExec::Scalar, ..) => without("exec"),
            (GatherExec::Simt, Target::A2a3, _) => {
                return missing("MGATHERL1-EXEC-03", "A2/A3 has no GatherExec parameter");
            }
            (GatherExec::Simt, _, None) => {
                return missing("MGATHERL1-API-03", "GatherExec needs the scratch operand");
            }
            (GatherExec::Simt, _, Some(_)) => {}
        },
        (Call::TscatterMask(_), Target::Cpu | Target::A2a3) => {
            return missing("TSCATTER-MODE-02", "only A5 has mask scatter");
        }
        (Call::TscatterMask(c), Target::A5) => match c.axis {
            MaskAxis::Row => without("axis"),
            MaskAxis::Col => {
                let why = "mask scatter has no parameter for an axis";
                return missing("TSCATTER-API-02", why);
            }
        },
        _ => {}
    }
    let ty = |key| match (key, call.instruction()) {
        ("mode", _) => "Coalesce",
        ("atomic", _) => "ScatterAtomicOp",
        ("oob", Instruction::Mscatter) => "ScatterOOB",
        ("oob", _) => "GatherOOB",
        ("conflict", _) => "ScatterConflict",
        ("exec", _) => "GatherExec",
        _ => "MaskPattern",
    };
    let written = arguments.iter();
    let written = written.map(|own| format!("{}::{}", ty(own.key), own.value));
    Ok(written.collect())
}
