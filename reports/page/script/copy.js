// Buttons that copy the text before them, or of the element that they name.

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where the clipboard is closed to scripts, a selection may still be copied.
    const area = h("textarea", { class: "unseen", readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button.copy");
  if (!button) return;
  const from = button.dataset.of ? byId(button.dataset.of) : button.previousElementSibling;
  const done = await copy(from.textContent);
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = done ? "Copied" : "Not allowed";
  say(done ? "Copied" : "The browser does not allow copying");
  button.focus();
  setTimeout(() => (button.textContent = label), 1600);
});
