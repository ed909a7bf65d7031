//! A call in the words of the protocol, and back.

use ptodiff_isa::{
    Call, Coalesce, GatherExec, GatherOob, Instruction, MaskAxis, MaskPattern, Mgather, MgatherL1,
    Mscatter, MscatterFirst, ScatterAtomicOp, ScatterConflict, ScatterOob, Tgatherb, TscatterIndex,
    TscatterMask,
};
use serde::{Deserialize, Serialize};

use crate::operand::{LaunchWords, TensorWords, TileWords};

/// A value of a call as its words, or the other way round.
macro_rules! turned {
    ($value:expr, Option<$inner:ident>) => {
        $value.map(Into::into)
    };
    ($value:expr, $type:ident) => {
        $value.into()
    };
}

/// Makes the words of the forms of what a frame has of each beside the instruction.
macro_rules! words {
    ($(
        $(#[$about:meta])*
        $form:ident { $($(#[$as:meta])* $key:ident: $type:ident $(<$inner:ident>)?,)+ }
    )+) => {
        /// A call as it stands in a frame: its form, the instruction's name, its
        /// operands' descriptors and its template arguments.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(tag = "form", rename_all = "kebab-case")]
        #[expect(
            missing_docs,
            reason = "the keys are those of the protocol and of `ptodiff_isa`'s calls"
        )]
        pub enum CallWords {
            $(
                $(#[$about])*
                $form { instruction: Instruction, $($(#[$as])* $key: $type $(<$inner>)?,)+ },
            )+
        }

        impl From<&Call> for CallWords {
            fn from(call: &Call) -> Self {
                let instruction = call.instruction();
                match call {
                    $(Call::$form(c) => Self::$form {
                        instruction,
                        $($key: turned!(c.$key, $type $(<$inner>)?),)+
                    },)+
                }
            }
        }

        impl CallWords {
            fn parts(&self) -> (Instruction, Call) {
                match *self {
                    $(Self::$form { instruction, $($key,)+ } => {
                        let call = $form { $($key: turned!($key, $type $(<$inner>)?),)+ };
                        (instruction, Call::$form(call))
                    })+
                }
            }
        }
    };
}

words! {
    /// MSCATTER, current revision.
    Mscatter {
        table: TensorWords,
        src: TileWords,
        idx: TileWords,
        mode: Coalesce,
        atomic: ScatterAtomicOp,
        oob: ScatterOob,
        conflict: ScatterConflict,
        launch: LaunchWords,
    }
    /// MSCATTER, first revision.
    MscatterFirst {
        table: TensorWords,
        src: TileWords,
        idx: TileWords,
        atomic: ScatterAtomicOp,
        oob: ScatterOob,
        launch: LaunchWords,
    }
    /// MGATHER, GM to UB.
    Mgather {
        dst: TileWords,
        table: TensorWords,
        idx: TileWords,
        mode: Coalesce,
        oob: GatherOob,
        launch: LaunchWords,
    }
    /// MGATHER, GM to L1.
    MgatherL1 {
        dst: TileWords,
        table: TensorWords,
        idx: TensorWords,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scratch: Option<TensorWords>,
        mode: Coalesce,
        oob: GatherOob,
        exec: GatherExec,
        launch: LaunchWords,
    }
    /// TSCATTER by index.
    TscatterIndex {
        dst: TileWords,
        src: TileWords,
        idx: TileWords,
    }
    /// TSCATTER by mask.
    TscatterMask {
        dst: TileWords,
        src: TileWords,
        pattern: MaskPattern,
        axis: MaskAxis,
    }
    /// TGATHERB.
    Tgatherb {
        dst: TileWords,
        src: TileWords,
        offset: TileWords,
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
}
