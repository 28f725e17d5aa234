import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Group, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import classes from './page-header.module.css';
/** Shows the title of a page with its facts and actions, and sets the title of the browser tab. */
export function PageHeader({ title, documentTitle, facts, icon, actions }) {
    const tabTitle = documentTitle ?? (typeof title === 'string' ? title : undefined);
    useEffect(() => {
        document.title = tabTitle === undefined ? 'Quayside' : `${tabTitle} – Quayside`;
    }, [tabTitle]);
    return (_jsxs("header", { className: classes.header, children: [icon, _jsxs("div", { className: classes.text, children: [_jsx(Title, { order: 1, children: title }), facts !== undefined && (_jsx(Text, { component: "div", c: "dimmed", fz: "sm", children: facts }))] }), actions !== undefined && (_jsx(Group, { gap: "xs", className: classes.actions, children: actions }))] }));
}
