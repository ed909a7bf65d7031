//! The template arguments of a call, by the keys that case files have for them: what reads
//! and writes calls goes by this and not by their types.

use std::str::FromStr;

use strum::VariantNames;

use crate::Call;

/// A template argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its key in case files.
    pub key: &'static str,
    /// What it is, as the ISA spells it.
    pub value: &'static str,
    /// What the documents have by default.
    pub default: &'static str,
    /// All that it may be.
    pub words: &'static [&'static str],
}

impl Argument {
    /// One with this value.
    pub fn of<T>(key: &'static str, value: T) -> Self
    where
        T: Default + Into<&'static str> + VariantNames,
    {
        Self {
            key,
            value: value.into(),
            default: T::default().into(),
            words: T::VARIANTS,
        }
    }

    /// Its name as a parameter of the call: its key in what programs exchange.
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        match self.key {
            "mask" => "pattern",
            own => own,
        }
    }

    /// Whether it is what the documents have by default.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.value == self.default
    }
}

/// A template argument, whatever its type.
trait Policy {
    fn argument(&self, key: &'static str) -> Argument;
    /// Makes it what `word` names; whether that names one.
    fn set(&mut self, word: &str) -> bool;
}

impl<T> Policy for T
where
    T: Copy + Default + FromStr + Into<&'static str> + VariantNames,
{
    fn argument(&self, key: &'static str) -> Argument {
        Argument::of(key, *self)
    }

    fn set(&mut self, word: &str) -> bool {
        word.parse().map(|value| *self = value).is_ok()
    }
}

impl Call {
    /// Goes to each template argument, in the order of case files.
    fn each_policy(&mut self, mut visit: impl FnMut(&'static str, &mut dyn Policy)) {
        match self {
            Self::Mscatter(c) => {
                visit("mode", &mut c.mode);
                visit("atomic", &mut c.atomic);
                visit("oob", &mut c.oob);
                visit("conflict", &mut c.conflict);
            }
            Self::MscatterFirst(c) => {
                visit("atomic", &mut c.atomic);
                visit("oob", &mut c.oob);
            }
            Self::Mgather(c) => {
                visit("mode", &mut c.mode);
                visit("oob", &mut c.oob);
            }
            Self::MgatherL1(c) => {
                visit("mode", &mut c.mode);
                visit("oob", &mut c.oob);
                visit("exec", &mut c.exec);
            }
            Self::TscatterMask(c) => {
                visit("mask", &mut c.pattern);
                visit("axis", &mut c.axis);
            }
            Self::TscatterIndex(_) | Self::Tgatherb(_) => {}
        }
    }

    /// Its template arguments, in the order of case files.
    #[must_use]
    pub fn arguments(&self) -> Vec<Argument> {
        let (mut call, mut all) = (*self, Vec::new());
        call.each_policy(|key, policy| all.push(policy.argument(key)));
        all
    }

    /// Its template argument of this key, if it has one.
    #[must_use]
    pub fn argument(&self, key: &str) -> Option<Argument> {
        self.arguments().into_iter().find(|own| own.key == key)
    }

    /// Makes the template argument `key` what `word` names; whether the call has one that may
    /// be that.
    pub fn set_argument(&mut self, key: &str, word: &str) -> bool {
        let mut done = false;
        self.each_policy(|own, policy| done |= own == key && policy.set(word));
        done
    }
}
