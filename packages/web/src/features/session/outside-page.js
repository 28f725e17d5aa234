import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Logo } from '../../frame/logo.tsx';
import classes from './outside-page.module.css';
/** The page for people who are not signed in: one card in the middle. Sets the title of the browser tab. */
export function OutsidePage({ title, description, footer, isWide = false, children }) {
    const heading = useRef(null);
    useEffect(() => {
        document.title = `${title} – Quayside`;
        // The control that led here is gone, so keyboards and screen readers continue at the title.
        if (document.activeElement === document.body)
            heading.current?.focus({ preventScroll: true });
    }, [title]);
    return (_jsx("main", { className: classes.page, "data-wide": isWide || undefined, children: _jsxs("div", { className: classes.column, children: [_jsx("div", { className: classes.logo, children: _jsx(Logo, {}) }), _jsxs("div", { className: classes.card, children: [_jsxs("div", { className: classes.head, children: [_jsx(Title, { order: 1, ref: heading, tabIndex: -1, className: classes.title, children: title }), description !== undefined && (_jsx(Text, { component: "div", c: "dimmed", mt: 4, children: description }))] }), children] }), footer !== undefined && _jsx("div", { className: classes.footer, children: footer })] }) }));
}
