// Copying a text for the payer, also where the browser keeps the clipboard closed, as inside another site's frame.

/**
 * copyText marks the element's text when it could not be copied, so that the payer can do it, and returns whether it
 * was.
 */
export async function copyText(
  element: HTMLElement,
  clipboard: Clipboard | undefined,
  text = element.textContent ?? "",
): Promise<boolean> {
  try {
    if (!clipboard) throw new Error("no clipboard");
    await clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    // The text itself is copied, and not how the page writes it.
    const exact = (event: ClipboardEvent) => {
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", exact);
    const done = document.execCommand("copy");
    document.removeEventListener("copy", exact);
    return done;
  }
}
