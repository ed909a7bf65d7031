//! A call in the words of the protocol, and back.

use ptodiff_isa::{
    Call, Coalesce, GatherExec, GatherOob, Instruction, MaskAxis, MaskPattern, Mgather, MgatherL1,
    Mscatter, MscatterFirst, ScatterAtomicOp, ScatterConflict, ScatterOob, Tgatherb, TscatterIndex,
    TscatterMask,
};
use serde::{Deserialize, Serialize};

use crate::operand::{LaunchWords, TensorWords, TileWords};

/// A call as it stands in a frame: its form, the instruction's name, its
/// operands' descriptors and its template arguments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
#[expect(
    missing_docs,
    reason = "the keys are those of the protocol and of `ptodiff_isa`'s calls"
)]
pub enum CallWords {
    /// MSCATTER, current revision.
    Mscatter {
        instruction: Instruction,
        table: TensorWords,
        src: TileWords,
        idx: TileWords,
        mode: Coalesce,
        atomic: ScatterAtomicOp,
        oob: ScatterOob,
        conflict: ScatterConflict,
        launch: LaunchWords,
    },
    /// MSCATTER, first revision.
    MscatterFirst {
        instruction: Instruction,
        table: TensorWords,
        src: TileWords,
        idx: TileWords,
        atomic: ScatterAtomicOp,
        oob: ScatterOob,
        launch: LaunchWords,
    },
    /// MGATHER, GM to UB.
    Mgather {
        instruction: Instruction,
        dst: TileWords,
        table: TensorWords,
        idx: TileWords,
        mode: Coalesce,
        oob: GatherOob,
        launch: LaunchWords,
    },
    /// MGATHER, GM to L1.
    MgatherL1 {
        instruction: Instruction,
        dst: TileWords,
        table: TensorWords,
        idx: TensorWords,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scratch: Option<TensorWords>,
        mode: Coalesce,
        oob: GatherOob,
        exec: GatherExec,
        launch: LaunchWords,
    },
    /// TSCATTER by index.
    TscatterIndex {
        instruction: Instruction,
        dst: TileWords,
        src: TileWords,
        idx: TileWords,
    },
    /// TSCATTER by mask.
    TscatterMask {
        instruction: Instruction,
        dst: TileWords,
        src: TileWords,
        pattern: MaskPattern,
        axis: MaskAxis,
    },
    /// TGATHERB.
    Tgatherb {
        instruction: Instruction,
        dst: TileWords,
        src: TileWords,
        offset: TileWords,
    },
}

impl From<&Call> for CallWords {
    fn from(call: &Call) -> Self {
        let instruction = call.instruction();
        match call {
            Call::Mscatter(c) => Self::Mscatter {
                instruction,
                table: (&c.table).into(),
                src: (&c.src).into(),
                idx: (&c.idx).into(),
                mode: c.mode,
                atomic: c.atomic,
                oob: c.oob,
                conflict: c.conflict,
                launch: c.launch.into(),
            },
            Call::MscatterFirst(c) => Self::MscatterFirst {
                instruction,
                table: (&c.table).into(),
                src: (&c.src).into(),
                idx: (&c.idx).into(),
                atomic: c.atomic,
                oob: c.oob,
                launch: c.launch.into(),
            },
            Call::Mgather(c) => Self::Mgather {
                instruction,
                dst: (&c.dst).into(),
                table: (&c.table).into(),
                idx: (&c.idx).into(),
                mode: c.mode,
                oob: c.oob,
                launch: c.launch.into(),
            },
            Call::MgatherL1(c) => Self::MgatherL1 {
                instruction,
                dst: (&c.dst).into(),
                table: (&c.table).into(),
                idx: (&c.idx).into(),
                scratch: c.scratch.as_ref().map(Into::into),
                mode: c.mode,
                oob: c.oob,
                exec: c.exec,
                launch: c.launch.into(),
            },
            Call::TscatterIndex(c) => Self::TscatterIndex {
                instruction,
                dst: (&c.dst).into(),
                src: (&c.src).into(),
                idx: (&c.idx).into(),
            },
            Call::TscatterMask(c) => Self::TscatterMask {
                instruction,
                dst: (&c.dst).into(),
                src: (&c.src).into(),
                pattern: c.pattern,
                axis: c.axis,
            },
            Call::Tgatherb(c) => Self::Tgatherb {
                instruction,
                dst: (&c.dst).into(),
                src: (&c.src).into(),
                offset: (&c.offset).into(),
            },
        }
    }
}

/// A form that is no form of the instruction beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the form is one of {form}, the call says {said}")]
pub struct OtherInstruction {
    /// Whose form it is.
    pub form: Instruction,
    /// What the call says.
    pub said: Instruction,
}

impl CallWords {
    /// The call.
    ///
    /// # Errors
    /// If the instruction's name is not that of the form.
    pub fn call(&self) -> Result<Call, OtherInstruction> {
        let (said, call) = self.parts();
        let form = call.instruction();
        if said == form {
            Ok(call)
        } else {
            Err(OtherInstruction { form, said })
        }
    }

    fn parts(&self) -> (Instruction, Call) {
        match *self {
            Self::Mscatter {
                instruction,
                table,
                src,
                idx,
                mode,
                atomic,
                oob,
                conflict,
                launch,
            } => (
                instruction,
                Call::Mscatter(Mscatter {
                    table: table.into(),
                    src: src.into(),
                    idx: idx.into(),
                    mode,
                    atomic,
                    oob,
                    conflict,
                    launch: launch.into(),
                }),
            ),
            Self::MscatterFirst {
                instruction,
                table,
                src,
                idx,
                atomic,
                oob,
                launch,
            } => (
                instruction,
                Call::MscatterFirst(MscatterFirst {
                    table: table.into(),
                    src: src.into(),
                    idx: idx.into(),
                    atomic,
                    oob,
                    launch: launch.into(),
                }),
            ),
            Self::Mgather {
                instruction,
                dst,
                table,
                idx,
                mode,
                oob,
                launch,
            } => (
                instruction,
                Call::Mgather(Mgather {
                    dst: dst.into(),
                    table: table.into(),
                    idx: idx.into(),
                    mode,
                    oob,
                    launch: launch.into(),
                }),
            ),
            Self::MgatherL1 {
                instruction,
                dst,
                table,
                idx,
                scratch,
                mode,
                oob,
                exec,
                launch,
            } => (
                instruction,
                Call::MgatherL1(MgatherL1 {
                    dst: dst.into(),
                    table: table.into(),
                    idx: idx.into(),
                    scratch: scratch.map(Into::into),
                    mode,
                    oob,
                    exec,
                    launch: launch.into(),
                }),
            ),
            Self::TscatterIndex {
                instruction,
                dst,
                src,
                idx,
            } => (
                instruction,
                Call::TscatterIndex(TscatterIndex {
                    dst: dst.into(),
                    src: src.into(),
                    idx: idx.into(),
                }),
            ),
            Self::TscatterMask {
                instruction,
                dst,
                src,
                pattern,
                axis,
            } => (
                instruction,
                Call::TscatterMask(TscatterMask {
                    dst: dst.into(),
                    src: src.into(),
                    pattern,
                    axis,
                }),
            ),
            Self::Tgatherb {
                instruction,
                dst,
                src,
                offset,
            } => (
                instruction,
                Call::Tgatherb(Tgatherb {
                    dst: dst.into(),
                    src: src.into(),
                    offset: offset.into(),
                }),
            ),
        }
    }
}
