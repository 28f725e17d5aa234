let open = () => { };
/** Registers the function that opens the command palette. */
export const setOpenPalette = (opener) => {
    open = opener;
};
/** Opens the command palette. */
export const openPalette = () => open();
