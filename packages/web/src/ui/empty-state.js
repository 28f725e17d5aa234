import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Stack, Text, Title } from '@mantine/core';
import classes from './empty-state.module.css';
/** Explains what belongs in a place that is still empty, and offers the action that fills it. */
export function EmptyState({ icon, title, children, action }) {
    return (_jsxs(Stack, { className: classes.empty, align: "center", gap: "xs", children: [icon !== undefined && _jsx("div", { className: classes.icon, children: icon }), _jsx(Title, { order: 2, children: title }), children !== undefined && (_jsx(Text, { component: "div", c: "dimmed", ta: "center", maw: "34rem", children: children })), action !== undefined && _jsx("div", { className: classes.action, children: action })] }));
}
