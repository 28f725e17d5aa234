import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text, Title } from '@mantine/core';
import { useId } from 'react';
import classes from './settings-section.module.css';
/** A titled part of a settings page. */
export function SettingsSection({ title, description, action, children }) {
    const id = useId();
    return (_jsxs("section", { className: classes.section, "aria-labelledby": id, children: [_jsxs("div", { className: classes.head, children: [_jsxs("div", { className: classes.text, children: [_jsx(Title, { order: 2, id: id, children: title }), description !== undefined && (_jsx(Text, { component: "div", c: "dimmed", fz: "sm", children: description }))] }), action !== undefined && action !== false && _jsx("div", { className: classes.action, children: action })] }), children] }));
}
