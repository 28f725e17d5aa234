let open = () => { };
/** Registers the function that opens the list of keyboard shortcuts. */
export const setOpenShortcuts = (opener) => {
    open = opener;
};
/** Opens the list of keyboard shortcuts. */
export const openShortcuts = () => open();
