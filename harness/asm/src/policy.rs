//! Template arguments, as suffixes of a mnemonic or as entries of the dictionary.

use ptodiff_isa::{Argument, Call, Coalesce, Launch, MscatterFirst};

use crate::{
    attribute::{Attributes, Dictionary, one_of},
    error::{At, Fault, Read},
    form::Level,
};

/// The keys of the arguments that suffixes tell, in their order (MSCATTER-ASM-04,
/// MGATHER-ASM-04).
const SUFFIXED: [&str; 3] = ["mode", "oob", "atomic"];

/// The arguments of `call` that suffixes tell. A call of the first revision has no mode, its
/// mnemonic names one.
fn suffixed(call: &Call) -> Vec<Argument> {
    let mut all = call.arguments();
    if let Call::MscatterFirst(c) = call {
        all.push(Argument::of("mode", first_mode(c)));
    }
    let own = |key| all.iter().find(|argument| argument.key == key).copied();
    SUFFIXED.into_iter().filter_map(own).collect()
}

/// The suffix of what an argument may be: a default but of the mode has none
/// (MSCATTER-ASM-02 to -04, MSCATTER-GAP-84; MGATHER-ASM-02 to -04).
fn suffix(argument: &Argument, word: &str) -> Option<String> {
    let name = word.to_lowercase();
    match argument.key {
        "mode" => Some(name),
        _ if word == argument.default => None,
        "atomic" => Some(format!("atomic_{name}")),
        _ => Some(name),
    }
}

/// The suffixes of `call`, each with its dot.
pub(crate) fn suffixes(call: &Call) -> String {
    let own = |argument: Argument| Some(format!(".{}", suffix(&argument, argument.value)?));
    suffixed(call).into_iter().filter_map(own).collect()
}

/// The mode that the first revision's mnemonic names: its calls have none, it
/// follows from the index tile's padded width. One column reads as rows there,
/// although the element form fits such an index too where the source is as
/// narrow (MSCATTER0-GAP-01).
pub(crate) const fn first_mode(call: &MscatterFirst) -> Coalesce {
    if call.idx.cols == 1 {
        Coalesce::Row
    } else {
        Coalesce::Elem
    }
}

/// The key that the dictionary has for one of a case file.
fn entry(key: &'static str) -> &'static str {
    match key {
        "mask" => "maskPattern",
        "axis" => "maskAxis",
        "dyn_ub" => "dynUBufSize",
        own => own,
    }
}

/// Puts what the suffixes of a form of this `level` do not say.
pub(crate) fn put(call: &Call, level: Level, dictionary: &mut Dictionary) {
    if let Call::MscatterFirst(_) = call {
        dictionary.put("revision", Revision::First);
    }
    let mut all = call.arguments();
    let at = |argument: &Argument| SUFFIXED.iter().position(|key| *key == argument.key);
    all.sort_by_key(|argument| at(argument).unwrap_or(SUFFIXED.len()));
    all.retain(|argument| level != Level::Mode || at(argument).is_none());
    for argument in all {
        if !argument.is_default() || matches!(argument.key, "mode" | "mask") {
            dictionary.put(entry(argument.key), argument.value);
        }
    }
    if let Some(launch) = call.launch() {
        for (key, value) in launch.told() {
            dictionary.put(entry(key), value);
        }
    }
}

/// Gives `call`, which has its operands, the arguments and the launch that `suffixes` and
/// `attributes` say: with suffixes no attribute says what they may.
pub(crate) fn read(
    call: &mut Call,
    suffixes: &[At<&str>],
    attributes: &mut Attributes<'_>,
) -> Read<()> {
    if !suffixes.is_empty() {
        read_suffixes(call, suffixes)?;
    }
    for argument in call.arguments() {
        if suffixes.is_empty() || !SUFFIXED.contains(&argument.key) {
            let word = attributes.take_one(entry(argument.key), argument.words)?;
            word.map(|word| call.set_argument(argument.key, word));
        }
    }
    if let Some(launch) = call.launch_mut() {
        *launch = Launch {
            dyn_ub_bytes: attributes.take_number("dynUBufSize")?,
            dispatch: attributes.take_word("dispatch")?.unwrap_or_default(),
            flush: attributes.take_word("flush")?.unwrap_or_default(),
        };
    }
    Ok(())
}

/// Gives `call` what its suffixes say, each at most once and in their order.
fn read_suffixes(call: &mut Call, suffixes: &[At<&str>]) -> Read<()> {
    let mut left = suffixes.iter().peekable();
    let mut others = Vec::new();
    for argument in suffixed(call) {
        let words = argument.words.iter();
        let known = words.filter_map(|word| Some((suffix(&argument, word)?, *word)));
        let known: Vec<(String, &str)> = known.collect();
        let own = left.peek().and_then(|next| {
            let mut known = known.iter();
            known.find(|(suffix, _)| suffix == next.value)
        });
        match (own, argument.key) {
            (Some((_, word)), "mode") => mode(call, word, suffixes[0].at)?,
            (Some((_, word)), key) => {
                call.set_argument(key, word);
            }
            (None, "mode") => return Err(Fault::new(suffixes[0].at, "`row` or `elem`")),
            (None, _) => {}
        }
        left.next_if(|_| own.is_some());
        if argument.key != "mode" {
            let known: Vec<String> = known.iter().map(|(own, _)| format!(".{own}")).collect();
            others.push(one_of(&known));
        }
    }
    match left.next() {
        None => Ok(()),
        Some(left) => {
            let expected = format!("no suffix but {}", others.join(", then "));
            Err(Fault::new(left.at, expected))
        }
    }
}

/// Gives `call` the mode that its suffix at `at` says. That of the first revision's mnemonic
/// must not contradict its index tile. Either one fits where source and index are one column
/// wide (MSCATTER0-GAP-01).
fn mode(call: &mut Call, word: &str, at: usize) -> Read<()> {
    let Call::MscatterFirst(c) = call else {
        call.set_argument("mode", word);
        return Ok(());
    };
    let own = first_mode(c);
    if word == <&str>::from(own) || (c.idx.cols == 1 && c.src.cols == 1) {
        return Ok(());
    }
    let expected = match own {
        Coalesce::Elem => "`elem`, as the index tile is wider than one column",
        Coalesce::Row => "`row`, as the index tile is one column wide",
    };
    Err(Fault::new(at, expected))
}

/// The one revision that is named.
#[derive(strum::Display, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
enum Revision {
    First,
}

/// Whether a scatter is one of the first revision.
pub(crate) fn is_first(attributes: &mut Attributes<'_>) -> Read<bool> {
    let first: Option<Revision> = attributes.take_word("revision")?;
    Ok(first.is_some())
}
