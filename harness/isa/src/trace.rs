//! What a model reports to have issued, when asked for a trace.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Coalesce, DType, Role};

/// A memory space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Space {
    /// Global memory.
    Gm,
    /// Unified buffer.
    Ub,
    /// L1 buffer of the cube core.
    L1,
}

/// A core of an A5 pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Core {
    /// Cube core.
    Aic,
    /// Vector core.
    Aiv,
}

/// A pipe of an NPU core.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, strum::Display)]
pub enum Pipe {
    /// Scalar.
    S,
    /// Vector.
    V,
    /// GM to on-chip transfers.
    MTE2,
    /// On-chip to GM transfers.
    MTE3,
}

/// What one lane of a launch serves at a time, or one group of warps where
/// several share a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Serves {
    /// A lane an element of the data tile.
    Element,
    /// A group of warps a row of the data tile, a lane a column.
    Row,
    /// A lane a slot of the table, which it owns.
    Slot,
    /// A lane a row of the table, which it owns.
    TableRow,
    /// A lane an element of the NZ image, padding included.
    Offset,
}

/// One thing issued.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A DMA transfer: `n_burst` bursts of `len_burst` bytes. Gaps are the bytes
    /// between the end of one burst and the start of the next.
    Dma {
        /// The intrinsic: `copy_ubuf_to_gm_align_b32`.
        name: String,
        /// Operand and byte offset in its body it starts reading from.
        from: (Role, i64),
        /// Operand and byte offset in its body it starts writing to.
        to: (Role, i64),
        /// Number of bursts.
        n_burst: u64,
        /// Bytes of one burst.
        len_burst: u64,
        /// Gap on the side of GM, bytes.
        gm_gap: i64,
        /// Gap on the on-chip side, bytes.
        ub_gap: i64,
    },
    /// A transfer that turns rows of an ND tensor into an NZ tile on its way:
    /// `n_value` rows of `d_value` elements.
    Nd2nz {
        /// The intrinsic: `pto_copy_gm_to_cbuf_multi_nd2nz`.
        name: String,
        /// Operand and byte offset in its body it starts reading from.
        from: (Role, i64),
        /// Operand and byte offset in its body it starts writing to.
        to: (Role, i64),
        /// Rows moved.
        n_value: u64,
        /// Elements of a row.
        d_value: u64,
        /// From one block of 32 bytes of a row to the next in the tile, in blocks.
        c0_stride: u64,
        /// Arguments of the form that was called, where the documents count them.
        arguments: Option<u64>,
    },
    /// `set_mte2_nz_para`: destination strides of the nd2nz transfers to come.
    SetMte2NzPara {
        /// From one block of 32 bytes of a row to the next in the tile, in blocks.
        c0_stride: u64,
    },
    /// Bytes set to zero: `pto_create_cbuf_matrix`, or a vector or scalar fill.
    Fill {
        /// The intrinsic, where the documents name one.
        name: Option<String>,
        /// Space.
        space: Space,
        /// Operand.
        role: Role,
        /// Byte offset in the operand's body.
        offset: i64,
        /// Bytes.
        len: u64,
    },
    /// A load by a scalar pipe or a lane.
    Load {
        /// Space.
        space: Space,
        /// Operand.
        role: Role,
        /// Byte offset in the operand's body.
        offset: i64,
        /// Bytes.
        len: u64,
    },
    /// A store by a scalar pipe or a lane.
    Store {
        /// Space.
        space: Space,
        /// Operand.
        role: Role,
        /// Byte offset in the operand's body.
        offset: i64,
        /// Bytes.
        len: u64,
    },
    /// An atomic read-modify-write by a lane.
    Atomic {
        /// The intrinsic: `atomicAdd`.
        name: String,
        /// Operand.
        role: Role,
        /// Byte offset in the operand's body.
        offset: i64,
        /// Bytes.
        len: u64,
    },
    /// `set_flag(from, to)`.
    SetFlag {
        /// The pipe that signals.
        from: Pipe,
        /// The pipe that will wait.
        to: Pipe,
    },
    /// `wait_flag(from, to)`.
    WaitFlag {
        /// The pipe that signalled.
        from: Pipe,
        /// The pipe that waits.
        to: Pipe,
    },
    /// The DMA unit enters atomic-add mode for a dtype.
    SetAtomicAdd(DType),
    /// `set_atomic_none()`.
    SetAtomicNone,
    /// `dcci` on one cache line.
    Dcci {
        /// Operand.
        role: Role,
        /// Byte offset in the operand's body.
        offset: i64,
        /// Bytes of the operand in that line.
        len: u64,
    },
    /// `dsb(DSB_DDR)`.
    Dsb,
    /// `set_intra_block(pipe, id)`: vector core to cube core.
    SetIntraBlock {
        /// The pipe that signals.
        pipe: Pipe,
        /// Flag id.
        id: u64,
    },
    /// `wait_intra_block(pipe, id)`.
    WaitIntraBlock {
        /// The pipe that waits.
        pipe: Pipe,
        /// Flag id.
        id: u64,
    },
    /// What follows is issued by this core.
    Core(Core),
    /// A SIMT launch.
    Launch {
        /// The kernel: `simt_mscatter_row_last_kernel`.
        kernel: String,
        /// Mode it was instantiated for.
        mode: Coalesce,
        /// `dim3{x, y}`: lanes a warp, warps.
        dim3: (u64, u64),
        /// Warps that own rows (`kRowWarps`), where the kernel has them.
        row_warps: Option<u64>,
        /// Warps that share a row (`kWarpsPerRow`), where the kernel has them.
        warps_per_row: Option<u64>,
        /// What a lane, or a group of warps, serves at a time.
        serves: Serves,
        /// By how many of those the outer loop advances.
        stride: u64,
        /// Iterations of the longest lane's outer loop.
        trips: u64,
    },
}

/// One line: the kind of event, then what it is about, operands by their roles. Case files
/// have patterns for these lines and for those of [`Event::named`].
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &|role| role.into())
    }
}

impl Event {
    /// The line for people: each operand is called what `key` says.
    #[must_use]
    pub fn named(&self, key: impl Fn(Role) -> &'static str) -> String {
        let mut line = String::new();
        // A string takes all.
        let _ = self.write(&mut line, &key);
        line
    }

    fn write(&self, f: &mut dyn fmt::Write, key: &dyn Fn(Role) -> &'static str) -> fmt::Result {
        let way = |from: &(Role, i64), to: &(Role, i64)| {
            format!("{}+{} -> {}+{}", key(from.0), from.1, key(to.0), to.1)
        };
        match self {
            Self::Dma {
                name,
                from,
                to,
                n_burst,
                len_burst,
                gm_gap,
                ub_gap,
            } => write!(
                f,
                "dma {name} {} nBurst={n_burst} lenBurst={len_burst} gmGap={gm_gap} ubGap={ub_gap}",
                way(from, to)
            ),
            Self::Nd2nz {
                name,
                from,
                to,
                n_value,
                d_value,
                c0_stride,
                arguments,
            } => {
                write!(
                    f,
                    "nd2nz {name} {} nValue={n_value} dValue={d_value} c0Stride={c0_stride}",
                    way(from, to)
                )?;
                if let Some(arguments) = arguments {
                    write!(f, " ({arguments} arguments)")?;
                }
                Ok(())
            }
            Self::SetMte2NzPara { c0_stride } => {
                write!(f, "mode set_mte2_nz_para c0Stride={c0_stride}")
            }
            Self::Fill {
                name,
                space,
                role,
                offset,
                len,
            } => {
                let name = name.as_deref().unwrap_or("zero");
                write!(f, "fill {name} {space} {}+{offset} {len} bytes", key(*role))
            }
            Self::Load {
                space,
                role,
                offset,
                len,
            } => write!(f, "load {space} {}+{offset} {len} bytes", key(*role)),
            Self::Store {
                space,
                role,
                offset,
                len,
            } => write!(f, "store {space} {}+{offset} {len} bytes", key(*role)),
            Self::Atomic {
                name,
                role,
                offset,
                len,
            } => write!(f, "atomic {name} {}+{offset} {len} bytes", key(*role)),
            Self::Dcci { role, offset, len } => {
                write!(f, "dcci {}+{offset} {len} bytes", key(*role))
            }
            Self::Dsb => write!(f, "dsb DSB_DDR"),
            Self::SetFlag { from, to } => write!(f, "set_flag {from}->{to}"),
            Self::WaitFlag { from, to } => write!(f, "wait_flag {from}->{to}"),
            Self::SetIntraBlock { pipe, id } => write!(f, "set_intra_block {pipe} id={id}"),
            Self::WaitIntraBlock { pipe, id } => write!(f, "wait_intra_block {pipe} id={id}"),
            Self::SetAtomicAdd(dtype) => write!(f, "mode set_atomic_add {dtype}"),
            Self::SetAtomicNone => write!(f, "mode set_atomic_none"),
            Self::Core(core) => write!(f, "core {core}"),
            Self::Launch {
                kernel,
                mode,
                dim3,
                row_warps,
                warps_per_row,
                serves,
                stride,
                trips,
            } => {
                write!(f, "launch {kernel} {mode} dim3{{{}, {}}}", dim3.0, dim3.1)?;
                if let Some(warps) = row_warps {
                    write!(f, " kRowWarps={warps}")?;
                }
                if let Some(warps) = warps_per_row {
                    write!(f, " kWarpsPerRow={warps}")?;
                }
                write!(f, " serves={serves} stride={stride} trips={trips}")
            }
        }
    }
}
