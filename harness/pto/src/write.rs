//! A case as a module that the assembler reads.

use std::collections::BTreeMap;
use std::fmt::Write;

use ptodiff_asm::{element_word, extent};
use ptodiff_case::{Case, DataPlan, launch_keys, limits};
use ptodiff_isa::{
    Call, Dim, GatherExec, GlobalTensor, Layout, Operand, Role, Target, TargetReadings, Tile,
};
use strum::VariantArray as _;

use crate::remarks::wanted;
use crate::word;

/// Why a case cannot be written so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the assembler has no word for {0}")]
pub struct NoSpelling(&'static str);

/// `case` as a file of one module and one function. Read again, it is the same call
/// on the same targets, if those are all, or one that has an architecture. What the
/// text has no word for, a comment at its head says: data, chunks, launch, readings.
///
/// # Errors
/// What of the call has no spelling.
pub fn module(case: &Case) -> Result<String, NoSpelling> {
    let call = &case.call;
    if let Call::MscatterFirst(_) = call {
        return Err(NoSpelling("the first revision of MSCATTER"));
    }
    let mut body = Body::default();
    let operands = call.operands();
    let mut types = BTreeMap::new();
    for (role, operand) in &operands {
        let name = name(*role);
        let ty = match operand {
            Operand::Tile(tile) => body.tile(name, tile),
            Operand::Tensor(tensor) => body.view(name, tensor)?,
        };
        types.insert(*role, ty);
    }
    let mut out = String::new();
    let _ = writeln!(out, "// {}", plain(&case.id));
    let left_out = left_out(case);
    if !left_out.is_empty() {
        let left_out = left_out.join(", ");
        let _ = writeln!(
            out,
            "// not in this text, which has no word for it: {left_out} (`ptodiff asm --yaml` has all)"
        );
    }
    let architecture = match case.targets[..] {
        [Target::A2a3] => " attributes {pto.target_arch = \"a2a3\"}",
        [Target::A5] => " attributes {pto.target_arch = \"a5\"}",
        _ => "",
    };
    if architecture.is_empty() && case.targets.len() < Target::VARIANTS.len() {
        let names: Vec<&str> = case.targets.iter().map(|t| (*t).into()).collect();
        let _ = writeln!(
            out,
            "// for {} alone: --target {}",
            names.join(" and "),
            names.join(",")
        );
    }
    let _ = writeln!(out, "module{architecture} {{");
    let arguments: Vec<String> = operands
        .iter()
        .filter(|(_, operand)| operand.tile().is_none())
        .map(|(role, operand)| {
            format!(
                "%{}_ptr: !pto.ptr<{}>",
                name(*role),
                element_word(operand.dtype())
            )
        })
        .collect();
    let _ = writeln!(
        out,
        "  func.func @{}({}) attributes {{pto.kernel_kind = #pto.kernel_kind<{}>}} {{",
        function(&case.name),
        arguments.join(", "),
        core(call)
    );
    for (number, ty) in &body.constants {
        let _ = writeln!(
            out,
            "    {} = arith.constant {number} : {ty}",
            constant(*number)
        );
    }
    out.push_str(&body.text);
    operation(&mut out, call, &types);
    out.push_str("    return\n  }\n}\n");
    Ok(out)
}

/// What of the case the text does not say and does not have by default.
fn left_out(case: &Case) -> Vec<String> {
    let mut all = Vec::new();
    if case.chunks != 1 {
        all.push(format!("chunks: {}", case.chunks));
    }
    all.extend(launch_keys(&case.call));
    let launch = case
        .call
        .launch()
        .filter(|_| case.targets != [Target::A2a3]);
    if launch.is_some_and(|launch| launch.dyn_ub_bytes.is_none()) && wanted(&case.call).is_some() {
        all.push("dyn_ub: 0".to_owned());
    }
    if let Call::MgatherL1(c) = &case.call
        && c.exec != GatherExec::Scalar
    {
        all.push(format!("exec: {}", c.exec));
    }
    let mut default = DataPlan::of(&case.call);
    limits::settle(&case.call, 1, &mut default.table);
    let own = |role| match case.data.fill(role) {
        Some(fill) => default.fill(role) != Some(fill),
        None => default.index != case.data.index,
    };
    let operands = case.call.operands();
    let roles = operands.iter().map(|(role, _)| *role);
    let named: Vec<&str> = roles.filter(|role| own(*role)).map(name).collect();
    if !named.is_empty() {
        all.push(format!("the data of {}", named.join(" and ")));
    }
    if case.readings != TargetReadings::default() {
        all.push("its readings".to_owned());
    }
    all
}

/// The operands' definitions.
#[derive(Default)]
struct Body {
    text: String,
    /// Numbers that they use, each with its type.
    constants: BTreeMap<u64, &'static str>,
}

impl Body {
    fn number(&mut self, number: u64) -> String {
        self.constants.insert(number, "index");
        constant(number)
    }

    fn numbers(&mut self, dims: &[Dim]) -> String {
        let all: Vec<String> = dims.iter().map(|dim| self.number(dim.get())).collect();
        all.join(", ")
    }

    /// Defines a tile, and gives its type.
    fn tile(&mut self, name: &str, tile: &Tile) -> String {
        let ty = format!(
            "!pto.tile_buf<loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, blayout={}, \
             slayout={}, fractal={}, pad=0>",
            word::of(tile.location),
            element_word(tile.dtype),
            tile.rows,
            tile.cols,
            extent(tile.valid_row),
            extent(tile.valid_col),
            word::of(tile.blayout),
            word::of(tile.slayout),
            tile.fractal,
        );
        let mut valid = String::new();
        for (key, dim) in [("valid_row", tile.valid_row), ("valid_col", tile.valid_col)] {
            if let Dim::Dynamic(count) = dim {
                let _ = write!(valid, " {key} = {}", self.number(count));
            }
        }
        let _ = writeln!(self.text, "    %{name} = pto.alloc_tile{valid} : {ty}");
        ty
    }

    /// Defines a view of all of a table, and gives its type.
    fn view(&mut self, name: &str, tensor: &GlobalTensor) -> Result<String, NoSpelling> {
        if tensor.stride.iter().any(|stride| stride.known().is_none()) {
            return Err(NoSpelling("a stride that is known at run time"));
        }
        let element = element_word(tensor.dtype);
        let extents = tensor.shape.map(extent);
        let layout = match tensor.layout {
            Layout::ND => String::new(),
            other => format!(" {{layout = #pto.layout<{}>}}", word::of(other)),
        };
        let whole = format!("!pto.tensor_view<?x?x?x?x?x{element}>");
        let ty = format!(
            "!pto.partition_tensor_view<{}x{element}>",
            extents.join("x")
        );
        let (sizes, strides) = (self.numbers(&tensor.shape), self.numbers(&tensor.stride));
        let zero = self.number(0);
        let zeros = [zero.as_str(); 5].join(", ");
        let _ = writeln!(
            self.text,
            "    %{name}_view = pto.make_tensor_view %{name}_ptr, shape = [{sizes}], strides = \
             [{strides}]{layout} : {whole}"
        );
        let _ = writeln!(
            self.text,
            "    %{name} = pto.partition_view %{name}_view, offsets = [{zeros}], sizes = [{sizes}] \
             : {whole} -> {ty}"
        );
        Ok(ty)
    }
}

fn operation(out: &mut String, call: &Call, types: &BTreeMap<Role, String>) {
    let ty = |role: Role| types.get(&role).map(String::as_str).unwrap_or_default();
    let mnemonic = call.instruction().to_string().to_lowercase();
    let ins = word::ins(call.instruction()).iter();
    let ins: Vec<&Role> = ins.filter(|role| types.contains_key(role)).collect();
    let mut names: Vec<String> = ins
        .iter()
        .map(|role| format!("%{}", name(**role)))
        .collect();
    let mut of: Vec<String> = ins.iter().map(|role| ty(**role).to_owned()).collect();
    if let Call::TscatterMask(c) = call {
        names.push(format!(
            "{{maskPattern = #pto.mask_pattern<{}>}}",
            c.pattern
        ));
        of.push(format!("\"{}\"", word::of(c.axis)));
    }
    let arguments = call.arguments().into_iter();
    let attributes = arguments.filter_map(|argument| {
        let (key, kind) = word::attribute(call, argument.key)?;
        Some(format!("{key} = #pto<{kind} {}>", word::of(argument.value)))
    });
    let attributes: Vec<String> = attributes.collect();
    let output = call.output();
    let _ = write!(
        out,
        "    pto.{mnemonic} ins({} : {})\n      outs(%{} : {})",
        names.join(", "),
        of.join(", "),
        name(output),
        ty(output)
    );
    match attributes.is_empty() {
        true => out.push('\n'),
        false => {
            let _ = writeln!(out, "\n      {{{}}}", attributes.join(", "));
        }
    }
}

/// The core that the kernel runs on: a gather to L1 runs on the cube core (001, Index source).
const fn core(call: &Call) -> &'static str {
    match call {
        Call::MgatherL1(_) => "cube",
        _ => "vector",
    }
}

/// The name of an operand.
const fn name(role: Role) -> &'static str {
    match role {
        Role::Table => "mem",
        Role::Source => "src",
        Role::Destination => "dst",
        Role::Index => "idx",
        Role::Scratch => "scratch",
    }
}

fn constant(number: u64) -> String {
    format!("%c{number}")
}

/// A function's name from that of a case.
fn function(name: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let own: String = name
        .chars()
        .map(|c| if word(c) { c } else { '_' })
        .collect();
    match own.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{own}"),
        false => own,
    }
}

/// What a comment may have of a name.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
