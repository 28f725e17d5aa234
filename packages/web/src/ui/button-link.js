import { jsx as _jsx } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
function ButtonAnchor(props) {
    return _jsx(Button, { component: "a", ...props });
}
/** A link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
function MenuItemAnchor(props) {
    return _jsx(Menu.Item, { component: "a", c: "var(--mantine-color-text)", ...props });
}
/** A link in a menu. */
export const MenuItemLink = createLink(MenuItemAnchor);
