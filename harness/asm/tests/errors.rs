//! Where a mistake is found, and what is said about it: `errors.md`. In its blocks a line behind
//! `! ` answers the text before it.

use ptodiff_asm::parse;

const TYPES: [(&str, &str); 4] = [
    (
        "$T",
        "!pto.tile<Vec, f32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>",
    ),
    (
        "$I",
        "!pto.tile<Vec, i32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>",
    ),
    (
        "$M",
        "!pto.memref<1x1x1x1x8xf32, stride = [1, 1, 1, 8, 1], layout = ND>",
    ),
    (
        "$V",
        "!pto.partition_tensor_view<1x1x1x1x8xf32, stride = [1, 1, 1, 8, 1], layout = ND>",
    ),
];

#[test]
fn every_mistake_is_found_where_it_is() {
    let (mut wrong, mut texts) = (Vec::new(), 0);
    for block in include_str!("errors.md").split("```asm\n").skip(1) {
        let (block, _) = block.split_once("```").expect("it ends");
        let mut marked = Vec::new();
        for line in block.lines() {
            let Some(expected) = line.strip_prefix("! ") else {
                marked.push(line);
                continue;
            };
            let text = std::mem::take(&mut marked).join("\n");
            let text = TYPES
                .iter()
                .fold(text, |text, (name, ty)| text.replace(name, ty));
            let (before, after) = text.split_once('^').expect("a mark");
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let place = (
                before.matches('\n').count() + 1,
                before[line_start..].chars().count() + 1,
            );
            let error = parse(&format!("{before}{after}")).expect_err(&text);
            let said = format!("expected {}, found {}", error.expected, error.found);
            if (error.line, error.column) != place || said != expected {
                wrong.push(format!("{text}\n{error}"));
            }
            texts += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(texts > 40);
}
