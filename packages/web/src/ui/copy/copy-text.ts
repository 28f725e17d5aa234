import { failureText } from '../../text/failures.ts'

/**
 * Copies text. Browsers offer their clipboard only to pages on HTTPS and localhost, and only if the person permits it. On
 * other pages, such as those of a server in the local network, a selection is copied. Throws if that is not possible either.
 */
export async function copyText(text: string): Promise<void> {
  try {
    // oxlint-disable-next-line eslint/no-restricted-properties -- this is the function that the rule asks for
    await navigator.clipboard.writeText(text)
  } catch {
    if (!copySelected(text)) throw new Error(failureText.notCopied)
  }
}

/** Copies text by selecting it for a moment. The focus stays where it is, because dialogs would take it back. */
function copySelected(text: string): boolean {
  const element = document.createElement('span')
  element.textContent = text
  element.style.cssText = 'position: fixed; clip-path: inset(50%); white-space: pre; user-select: text'
  element.addEventListener('copy', (event) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  })
  document.body.append(element)
  const selection = document.getSelection()
  const before = selection?.rangeCount === 1 ? selection.getRangeAt(0) : undefined
  try {
    selection?.selectAllChildren(element)
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without the clipboard API
    return document.execCommand('copy')
  } finally {
    element.remove()
    selection?.removeAllRanges()
    if (before !== undefined) selection?.addRange(before)
  }
}
