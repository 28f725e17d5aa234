let open = (): void => {}

/** Registers the function that opens the command palette. */
export const setOpenPalette = (opener: () => void): void => {
  open = opener
}

/** Opens the command palette. */
export const openPalette = (): void => open()
