let open = (): void => {}

/** Registers the function that opens the command palette. */
export const setOpenPalette = (opener: () => void): void => {
  open = opener
}

let typed = ''
let stopCollecting = (): void => {}

/** Collects the text that is typed while the command palette loads. */
export function collectTypedText(): void {
  stopCollecting()
  const collect = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key.length === 1) typed += event.key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', collect, { capture: true })
  stopCollecting = () => window.removeEventListener('keydown', collect, { capture: true })
}

/** Returns the collected text. From now on, the command palette receives the keys itself. */
export function takeTypedText(): string {
  stopCollecting()
  const text = typed
  typed = ''
  return text
}

/** What the palette finds: everything, or only applications, to switch to one of them. */
export type PaletteScope = 'everything' | 'applications'

let scope: PaletteScope = 'everything'

/** Returns the scope in which the palette was opened. */
export const requestedScope = (): PaletteScope => scope

/** Opens the command palette. */
export function openPalette(requested: PaletteScope = 'everything'): void {
  scope = requested
  open()
}
