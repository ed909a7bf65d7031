//! Pages as tests read them.

/// The fenced blocks of a page: line, tag and text.
pub(crate) fn blocks(page: &str) -> Vec<(usize, &str, String)> {
    let (mut blocks, mut lines) = (Vec::new(), page.lines().enumerate());
    while let Some((at, line)) = lines.next() {
        let tag = line.trim_start_matches('`');
        let fence = &line[..line.len() - tag.len()];
        if fence.len() >= 3 {
            let body = lines.by_ref().map(|(_, line)| line);
            let body = body.take_while(|line| *line != fence);
            let text = body.fold(String::new(), |text, line| text + line + "\n");
            blocks.push((at + 1, tag, text));
        }
    }
    blocks
}
