/** Marks a button whose menu also opens with the right mouse button anywhere in its row. */
export const rowMenuButton = { 'data-row-menu': true } as const

const rows = '[role=row], tr, li'
const withOwnMenu = 'input, textarea, select, [contenteditable], [role=menu]'

/**
 * Opens the menu of a row instead of that of the browser, which remains available with Shift and for selected text.
 * Returns a function that stops this.
 */
export function watchContextMenus(): () => void {
  const open = (event: MouseEvent) => {
    const { target, clientX, clientY } = event
    if (event.defaultPrevented || event.shiftKey || !(target instanceof Element)) return
    if (target.closest(withOwnMenu) !== null || getSelection()?.isCollapsed === false) return
    // The menu key of a keyboard has the focus as its target, and the list marks the row that j and k have reached.
    const row =
      target === document.body ? document.querySelector('[role=row][data-active]') : target.closest(rows)
    const button = row?.querySelector('[data-row-menu]')
    if (button === null || button === undefined) return
    event.preventDefault()
    const relatedTarget = target.closest('a[href]')
    const options = { bubbles: true, cancelable: true, clientX, clientY, relatedTarget }
    button.dispatchEvent(new MouseEvent('contextmenu', options))
  }
  document.addEventListener('contextmenu', open)
  return () => document.removeEventListener('contextmenu', open)
}
