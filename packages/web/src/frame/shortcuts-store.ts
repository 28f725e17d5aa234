let open = (): void => {}

/** Registers the function that opens the list of keyboard shortcuts. */
export const setOpenShortcuts = (opener: () => void): void => {
  open = opener
}

/** Opens the list of keyboard shortcuts. */
export const openShortcuts = (): void => open()
