/** The texts of menus. */
export const menuText = { openInNewTab: 'Open in new tab' }
