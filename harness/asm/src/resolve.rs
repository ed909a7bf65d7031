//! From a form's syntax to the call it means.

use ptodiff_isa::{Call, Coalesce, Form, Instruction, Role};

use crate::{
    error::{At, Fault, Read},
    form::Level,
    grammar::{Signature, signature},
    policy,
    statement::{List, Statement},
    types::Type,
};

/// The call of a statement, and the names of its tile operands.
pub(crate) fn resolve(mut statement: Statement<'_>) -> Read<(Call, Vec<&str>)> {
    let (form, staged) = form(&mut statement)?;
    let operands = operands(&mut statement, form, staged)?;
    let call = call(&mut statement, form, &operands)?;
    statement.attributes.finish()?;
    let tiles = operands.iter();
    let tiles = tiles.filter(|operand| matches!(operand.ty.value, Type::Tile(_)));
    Ok((call, tiles.map(|operand| operand.name).collect()))
}

/// The form of a statement's call, and whether it has a scratch operand: its mnemonic says
/// it, and where one mnemonic has several forms, the number of operands, the index's type or
/// `revision`.
fn form(statement: &mut Statement<'_>) -> Read<(Form, bool)> {
    let moded = statement.level == Level::Mode;
    let inputs = statement.body.inputs.items.len();
    let in_gm = |ty: &At<Type>| matches!(ty.value, Type::Tensor(_));
    let form = match statement.mnemonic.value {
        Instruction::Mscatter if moded && policy::is_first(&mut statement.attributes)? => {
            Form::MscatterFirst
        }
        Instruction::Mscatter => Form::Mscatter,
        Instruction::Mgather if inputs == 3 + usize::from(moded) => {
            return Ok((Form::MgatherL1, true));
        }
        Instruction::Mgather if statement.body.types.items.last().is_some_and(in_gm) => {
            Form::MgatherL1
        }
        Instruction::Mgather => Form::Mgather,
        Instruction::Tscatter if inputs == 1 => Form::TscatterMask,
        Instruction::Tscatter => Form::TscatterIndex,
        Instruction::Tgatherb => Form::Tgatherb,
    };
    Ok((form, false))
}

struct Operand<'t> {
    role: Role,
    name: &'t str,
    ty: At<Type>,
}

/// The operands of a statement, their dynamic extents filled in.
fn operands<'t>(statement: &mut Statement<'t>, form: Form, staged: bool) -> Read<Vec<Operand<'t>>> {
    let Some(signature) = signature(form, staged, statement.level) else {
        let first = statement.suffixes.first();
        let at = first.map_or(statement.mnemonic.at, |first| first.at);
        return Err(Fault::new(at, "an instruction without suffix"));
    };
    let names = names(statement, signature)?;
    let types = types(statement, form, signature)?;
    let mut operands = Vec::with_capacity(names.len());
    for (role, At { value: name, at }) in names {
        let ty = types.iter().find(|(typed, _)| *typed == role);
        let Some((_, mut ty)) = ty.copied() else {
            return Err(Fault::new(at, "an operand with a type"));
        };
        let given = statement.attributes.take_run_time(name)?;
        let (at, values) = given.map_or((ty.at, Vec::new()), |list| (list.at, list.value));
        ty.value.fill(&values).map_err(|dynamic| {
            let expected = format!("run-time values of `%{name}`, {dynamic} of them");
            Fault::new(at, expected)
        })?;
        operands.push(Operand { role, name, ty });
    }
    Ok(operands)
}

/// That a list has so many entries.
fn counted<T>(list: &List<At<T>>, wanted: usize, what: &str) -> Read<()> {
    if list.items.len() == wanted {
        return Ok(());
    }
    let at = list.items.get(wanted).map_or(list.end, |extra| extra.at);
    Err(Fault::new(at, format!("{wanted} {what}")))
}

/// Every operand's name, each used once.
fn names<'t>(statement: &Statement<'t>, signature: Signature) -> Read<Vec<(Role, At<&'t str>)>> {
    let inputs = &statement.body.inputs;
    counted(inputs, signature.inputs.len(), "operands")?;
    let roles = signature.inputs.iter().copied();
    let mut names: Vec<_> = roles.zip(inputs.items.iter().copied()).collect();
    match (signature.output, statement.output) {
        (Some(role), Some(name)) => names.push((role, name)),
        (None, None) => {}
        (Some(_), None) => {
            return Err(Fault::new(statement.mnemonic.at, "a result, `%dst = `"));
        }
        (None, Some(name)) => return Err(Fault::new(name.at, "a form without result")),
    }
    for (count, (_, name)) in names.iter().enumerate() {
        let same = names[..count]
            .iter()
            .find(|(_, other)| other.value == name.value);
        if let Some((_, other)) = same {
            return Err(Fault::new(name.at.max(other.at), "an operand of its own"));
        }
    }
    Ok(names)
}

/// Every operand's type.
fn types(
    statement: &mut Statement<'_>,
    form: Form,
    signature: Signature,
) -> Read<Vec<(Role, At<Type>)>> {
    let body = &statement.body;
    let given = &body.types;
    let one_missing = signature.types.len() < signature.inputs.len();
    // The other reading of the form with a type too few is that it was left out.
    let in_full = one_missing && given.items.len() == signature.inputs.len();
    let roles = if in_full {
        signature.inputs
    } else {
        signature.types
    };
    counted(given, roles.len(), "types")?;
    let roles = roles.iter().copied();
    let mut types: Vec<_> = roles.zip(given.items.iter().copied()).collect();
    match (signature.output, body.output_type) {
        (Some(role), Some(ty)) => types.push((role, ty)),
        (None, None) => {}
        (Some(_), None) => return Err(Fault::new(given.end, "the result's type, `-> !pto.tile<`")),
        (None, Some(ty)) => return Err(Fault::new(ty.at, "a form without result")),
    }
    if form == Form::Tgatherb && one_missing && !in_full {
        let Some(offset) = statement.attributes.take_type("offset")? else {
            let expected = "the offsets' type, `{offset = !pto.tile<`";
            return Err(Fault::new(given.end, expected));
        };
        types.push((Role::Index, offset));
    }
    Ok(types)
}

fn call(statement: &mut Statement<'_>, form: Form, operands: &[Operand<'_>]) -> Read<Call> {
    let mut call = Call::blank(form);
    for Operand { role, ty, .. } in operands {
        if !call.put(*role, ty.value.operand()) {
            let kind = match ty.value {
                Type::Tile(_) => "tensor",
                Type::Tensor(_) => "tile",
            };
            return Err(Fault::new(ty.at, format!("a {kind} type for the {role}")));
        }
    }
    // Three operands are Row by default, four are Elem (MGATHERL1-API-01, -02).
    if call.operand(Role::Scratch).is_some() {
        call.set_argument("mode", Coalesce::Elem.into());
    }
    policy::read(&mut call, &statement.suffixes, &mut statement.attributes)?;
    Ok(call)
}
