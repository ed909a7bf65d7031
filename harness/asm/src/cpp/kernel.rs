//! The kernel around an A5 call, and how the host starts it.

use ptodiff_isa::{CacheFlush, Call, DType, Dispatch, Launch, Operand, Role};

use super::{Text, load, names::Names};

/// A pointer into GM that the call needs.
pub(super) struct Parameter {
    dtype: DType,
    name: String,
}

/// The pointers behind a call's tensors and loaded tiles, in operand order.
pub(super) fn parameters(call: &Call) -> Vec<Parameter> {
    let is_in_gm = |role: Role, operand: Operand<'_>| match operand {
        Operand::Tensor(_) => true,
        Operand::Tile(tile) => load::image(call, role, tile).is_some(),
    };
    call.operands()
        .into_iter()
        .filter(|(role, operand)| is_in_gm(*role, *operand))
        .map(|(role, operand)| Parameter {
            dtype: operand.dtype(),
            name: Names::of(call, role).pointer(),
        })
        .collect()
}

/// They, as a device function declares them.
pub(super) fn declare(parameters: &[Parameter]) -> String {
    list(parameters, |p| format!("__gm__ {}* {}", p.dtype, p.name))
}

/// The kernel of `call` and the host function that starts it, by the standard
/// launch (MSCATTER-LAUNCH-09, MGATHER-UB-09; no `dynUBufSize` is `nullptr`,
/// MGATHER-UB-07) or by a function pointer (MSCATTER-LAUNCH-10).
pub(super) fn lines(
    text: &mut Text,
    name: &str,
    call: &Call,
    launch: &Launch,
    parameters: &[Parameter],
) {
    let passed = list(parameters, |p| p.name.clone());
    text.line(0, "");
    text.line(
        0,
        format!(
            "__global__ AICORE void {name}_kernel({})",
            declare(parameters)
        ),
    );
    text.line(0, "{");
    text.line(1, format!("{name}_call({passed});"));
    if is_flushed(call, launch) {
        text.line(1, "dcci(static_cast<__gm__ void*>(0), ENTIRE_DATA_CACHE);");
        text.line(1, "dsb(DSB_DDR);");
    }
    text.line(0, "}");
    text.line(0, "");
    let on_host = list(parameters, |p| format!("{}* {}", p.dtype, p.name));
    match launch.dispatch {
        Dispatch::Standard => {
            let ub = launch
                .dyn_ub_bytes
                .map_or("nullptr".to_owned(), |bytes| bytes.to_string());
            text.line(
                0,
                format!("void {name}_launch(uint32_t numBlocks, void* stream, {on_host})"),
            );
            text.line(0, "{");
            text.line(
                1,
                format!("{name}_kernel<<<numBlocks, {ub}, stream>>>({passed});"),
            );
        }
        Dispatch::Direct => {
            text.line(0, format!("void {name}_launch({on_host})"));
            text.line(0, "{");
            text.line(1, format!("auto* kernel = &{name}_kernel;"));
            text.line(1, format!("kernel({passed});"));
        }
    }
    text.line(0, "}");
}

/// Whether the kernel ends with a flush of the data cache: that of a scatter
/// may (MSCATTER-CACHE-02).
const fn is_flushed(call: &Call, launch: &Launch) -> bool {
    matches!(call, Call::Mscatter(_) | Call::MscatterFirst(_))
        && matches!(launch.flush, CacheFlush::Appended)
}

fn list(parameters: &[Parameter], item: impl Fn(&Parameter) -> String) -> String {
    parameters.iter().map(item).collect::<Vec<_>>().join(", ")
}
