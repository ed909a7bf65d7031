//! One event of a trace as a line of text.

use std::io::{self, Write};

use ptodiff_isa::{Event, Role};

/// Writes `event` as one line.
///
/// # Errors
/// What the writer gives.
pub(crate) fn write_event(out: &mut impl Write, event: &Event) -> io::Result<()> {
    match event {
        Event::Dma {
            name,
            from,
            to,
            n_burst,
            len_burst,
            gm_gap,
            ub_gap,
        } => writeln!(
            out,
            "dma       {name} {} nBurst={n_burst} lenBurst={len_burst} gmGap={gm_gap} ubGap={ub_gap}",
            way(from, to)
        ),
        Event::Nd2nz {
            name,
            from,
            to,
            n_value,
            d_value,
            c0_stride,
            arguments,
        } => {
            write!(
                out,
                "nd2nz     {name} {} nValue={n_value} dValue={d_value} c0Stride={c0_stride}",
                way(from, to)
            )?;
            if let Some(arguments) = arguments {
                write!(out, " ({arguments} arguments)")?;
            }
            writeln!(out)
        }
        Event::SetMte2NzPara { c0_stride } => {
            writeln!(out, "mode      set_mte2_nz_para c0Stride={c0_stride}")
        }
        Event::Fill {
            name,
            space,
            role,
            offset,
            len,
        } => {
            let name = name.as_deref().unwrap_or("zero");
            writeln!(out, "fill      {name} {space} {role}+{offset} {len} bytes")
        }
        Event::Load {
            space,
            role,
            offset,
            len,
        } => writeln!(out, "load      {space} {role}+{offset} {len} bytes"),
        Event::Store {
            space,
            role,
            offset,
            len,
        } => writeln!(out, "store     {space} {role}+{offset} {len} bytes"),
        Event::Atomic {
            name,
            role,
            offset,
            len,
        } => writeln!(out, "atomic    {name} {role}+{offset} {len} bytes"),
        Event::Dcci { role, offset, len } => {
            writeln!(out, "dcci      {role}+{offset} {len} bytes")
        }
        Event::Dsb => writeln!(out, "dsb       DSB_DDR"),
        Event::SetFlag { from, to } => writeln!(out, "set_flag  {from}->{to}"),
        Event::WaitFlag { from, to } => writeln!(out, "wait_flag {from}->{to}"),
        Event::SetIntraBlock { pipe, id } => writeln!(out, "set_intra_block  {pipe} id={id}"),
        Event::WaitIntraBlock { pipe, id } => writeln!(out, "wait_intra_block {pipe} id={id}"),
        Event::SetAtomicAdd(dtype) => writeln!(out, "mode      set_atomic_add {dtype}"),
        Event::SetAtomicNone => writeln!(out, "mode      set_atomic_none"),
        Event::Core(core) => writeln!(out, "core      {core}"),
        Event::Launch {
            kernel,
            mode,
            dim3,
            row_warps,
            warps_per_row,
            serves,
            stride,
            trips,
        } => {
            write!(
                out,
                "launch    {kernel} {mode} dim3{{{}, {}}}",
                dim3.0, dim3.1
            )?;
            if let Some(warps) = row_warps {
                write!(out, " kRowWarps={warps}")?;
            }
            if let Some(warps) = warps_per_row {
                write!(out, " kWarpsPerRow={warps}")?;
            }
            writeln!(out, " serves={serves} stride={stride} trips={trips}")
        }
    }
}

fn way(from: &(Role, i64), to: &(Role, i64)) -> String {
    format!("{}+{} -> {}+{}", from.0, from.1, to.0, to.1)
}
