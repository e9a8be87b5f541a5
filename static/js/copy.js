// Buttons that copy a command. They stay hidden where nothing can be copied:
// without this script, or where the browser gives no clipboard.

/**
 * Shows the buttons of the page and lets them copy what they belong to.
 * @param {Document} document
 * @param {Clipboard | undefined} clipboard
 */
export function installCopy(document, clipboard) {
  if (!clipboard) return;
  for (const button of document.querySelectorAll('button[data-copied]')) {
    const command = button.parentElement.querySelector('code');
    const said = button.querySelector('[aria-live]');
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await clipboard.writeText(oneLine(command.textContent));
        said.textContent = button.dataset.copied;
      } catch {
        // Not allowed: select the command, so that the keyboard can copy it.
        document.getSelection().selectAllChildren(command);
      }
    });
  }
}

/**
 * A command as it is typed, without the breaks that its display has.
 * @param {string} text
 */
export function oneLine(text) {
  return text.trim().replace(/\s+/g, ' ');
}
