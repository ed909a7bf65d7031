//! A call in the words of the protocol, and back.

use ptodiff_isa::{Call, Form, Operand};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error},
    ser::SerializeMap,
};
use serde_json::{Map, Value};

use crate::operand::{LaunchWords, TensorWords, TileWords};

/// A call as it stands in a frame: its form, the instruction's name, its
/// operands' descriptors, its template arguments and its launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallWords(pub Call);

impl Serialize for CallWords {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let form = Form::of(&self.0);
        let mut words = to.serialize_map(None)?;
        words.serialize_entry("form", &form)?;
        words.serialize_entry("instruction", &form.instruction())?;
        for (role, operand) in self.0.operands() {
            let key = form.variable(role);
            match operand {
                Operand::Tile(tile) => words.serialize_entry(key, &TileWords::from(*tile))?,
                Operand::Tensor(own) => words.serialize_entry(key, &TensorWords::from(*own))?,
            }
        }
        for argument in self.0.arguments() {
            words.serialize_entry(argument.parameter(), argument.value)?;
        }
        if let Some(launch) = self.0.launch() {
            words.serialize_entry("launch", &LaunchWords::from(*launch))?;
        }
        words.end()
    }
}

/// What stands in a frame.
#[derive(Deserialize)]
struct Said {
    form: Form,
    #[serde(flatten)]
    parts: Map<String, Value>,
}

impl Said {
    /// What stands under `key`; nothing is null.
    fn part<T: DeserializeOwned, E: Error>(&mut self, key: &str) -> Result<T, E> {
        let part = self.parts.remove(key).unwrap_or_default();
        serde_json::from_value(part).map_err(|e| E::custom(format_args!("`{key}`: {e}")))
    }
}

impl<'de> Deserialize<'de> for CallWords {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut said = Said::deserialize(from)?;
        let form = said.form;
        let blank = Call::blank(form);
        let mut call = blank;
        for (role, operand) in blank.operands() {
            let key = form.variable(role);
            match operand {
                Operand::Tile(_) => {
                    let tile: TileWords = said.part(key)?;
                    call.put(role, Operand::Tile(&tile.into()));
                }
                Operand::Tensor(_) => {
                    let tensor: TensorWords = said.part(key)?;
                    call.put(role, Operand::Tensor(&tensor.into()));
                }
            }
        }
        if let Call::MgatherL1(c) = &mut call {
            let scratch: Option<TensorWords> = said.part("scratch")?;
            c.scratch = scratch.map(Into::into);
        }
        for argument in blank.arguments() {
            let word: String = said.part(argument.parameter())?;
            if !call.set_argument(argument.key, &word) {
                return Err(D::Error::custom(format_args!("there is no `{word}`")));
            }
        }
        if let Some(launch) = call.launch_mut() {
            let words: LaunchWords = said.part("launch")?;
            *launch = words.into();
        }
        Ok(Self(call))
    }
}
