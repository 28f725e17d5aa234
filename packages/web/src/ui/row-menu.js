import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import classes from './row-menu.module.css';
/** A button with dots that opens the actions of one resource. */
export function RowMenu({ label, children }) {
    return (_jsxs(Menu, { position: "bottom-end", children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "subtle", color: "gray", className: classes.button, "aria-label": label, children: _jsx(IconDots, { size: 18 }) }) }), _jsx(Menu.Dropdown, { children: children })] }));
}
