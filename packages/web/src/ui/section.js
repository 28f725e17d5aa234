import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Title } from '@mantine/core';
import { useId } from 'react';
import classes from './section.module.css';
/** A titled part of a page. */
export function Section({ title, actions, children }) {
    const id = useId();
    return (_jsxs("section", { className: classes.section, "aria-labelledby": id, children: [_jsxs("div", { className: classes.head, children: [_jsx(Title, { order: 2, className: classes.title, id: id, children: title }), actions] }), children] }));
}
