use super::*;

#[test]
fn a_file_says_what_an_implementation_and_a_run_are() {
    let text = r#"
        [impl.sim]
        command = ["./my sim", "--pto"]
        target = "a5"
        time = "2m"
        memory = 64
        jobs = 2
        readings = { undefined-last = "dropped" }
        env = { B = "1", A = "x y" }

        [impl.board]
        command = "board --port 3"
        target = ["cpu", "a2a3"]
        time = 30

        [run]
        targets = ["a5", "cpu"]
        readings = { cpu-form = "documented" }
        jobs = 4
        out = "reports"
    "#;
    let config = read(text).expect("it reads");
    let [sim, board] = &config.implementations[..] else {
        panic!("{config:?}")
    };
    assert_eq!(sim.command, "'./my sim' --pto");
    assert_eq!(sim.targets, [Target::A5]);
    assert_eq!(sim.time, Some(Duration::from_secs(120)));
    assert_eq!((sim.memory, sim.jobs), (Some(64), Some(2)));
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(sim.chosen.reading, [pair("undefined-last", "dropped")]);
    assert_eq!(sim.place.env, [pair("B", "1"), pair("A", "x y")]);
    assert_eq!(board.targets, [Target::Cpu, Target::A2a3]);
    assert_eq!(board.time, Some(Duration::from_secs(30)));
    assert_eq!(config.run.common.targets, [Target::A5, Target::Cpu]);
    assert_eq!(
        config.run.common.chosen.reading,
        [pair("cpu-form", "documented")]
    );
    assert_eq!(config.run.out, Some("reports".into()));
    assert_eq!(read(""), Ok(Config::default()));
}

#[test]
fn a_mistake_has_its_place_and_advice() {
    for (text, marked, says, help) in [
        (
            "[run]\ntarget = \"a5\"\n",
            "target",
            "[run] has no key `target`",
            "`targets`",
        ),
        ("[rum]\n", "rum", "the file has no key `rum`", "`run`"),
        (
            "[implementation.x]\n",
            "implementation",
            "has no key `implementation`",
            "`impl`",
        ),
        (
            "[impl.x]\ncomand = \"a\"\n",
            "comand",
            "[impl.x] has no key",
            "`command`",
        ),
        (
            "[impl.x]\ncommand = \"a\"\ntargets = \"a5\"\n",
            "targets",
            "has no key",
            "`target`",
        ),
        ("[impl.x]\n", "x", "no `command`", "python3"),
        ("[impl.simt]\ncommand = \"a\"\n", "simt", "already", ""),
        ("[impl.'a b']\ncommand = \"a\"\n", "'a b'", "a b", ""),
        ("[impl.x]\ncommand = \"a 'b\"\n", "\"a 'b\"", "a 'b", ""),
        ("[impl.x]\ncommand = 3\n", "3", "expected a text", ""),
        ("[impl.x]\ncommand = []\n", "[]", "", ""),
        ("[impl]\nx = 1\n", "1", "expected a table", ""),
        ("impl = 1\n", "1", "expected a table", ""),
        (
            "[run]\ntargets = [\"a5\", \"a4\"]\n",
            "\"a4\"",
            "no target is `a4`",
            "`a",
        ),
        ("[run]\ntargets = []\n", "[]", "no target", "leave"),
        ("[run]\njobs = 0\n", "0", "from 1 to 1024", ""),
        ("[run]\njobs = 0x10\n", "0x10", "from 1 to 1024", ""),
        (
            "[run]\nreadings = [\"a=b\"]\n",
            "[\"a=b\"]",
            "expected a table",
            "undefined-last",
        ),
        (
            "[run]\nreadings = { undefind-last = \"x\" }\n",
            "undefind-last",
            "no reading",
            "`undefined-last`",
        ),
        (
            "[run]\nreadings = { undefined-last = \"drop\" }\n",
            "\"drop\"",
            "no choice `drop`",
            "`dropped`",
        ),
        (
            "[impl.x]\ncommand = \"a\"\ntime = \"1d\"\n",
            "\"1d\"",
            "10m",
            "",
        ),
        (
            "[impl.x]\ncommand = \"a\"\nmemory = \"2 GiB\"\n",
            "\"2 GiB\"",
            "expected a number",
            "MiB",
        ),
        (
            "[impl.x]\ncommand = \"a\"\nenv = { \"A=B\" = \"c\" }\n",
            "\"A=B\"",
            "variable",
            "",
        ),
        ("[run]\njobs = 1\njobs = 2\n", "jobs", "duplicate", ""),
        ("[run\n", "[run", "", ""),
    ] {
        let mistake = read(text).expect_err(text);
        assert!(mistake.message.contains(says), "{text}: {mistake:?}");
        let advice = mistake.help.clone().unwrap_or_default();
        assert!(advice.contains(help), "{text}: {mistake:?}");
        if says.is_empty() {
            continue;
        }
        assert_eq!(&text[mistake.at.clone()], marked, "{mistake:?}");
    }
}
