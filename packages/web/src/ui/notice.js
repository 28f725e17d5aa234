import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import classes from './notice.module.css';
const icons = { info: IconInfoCircle, good: IconCircleCheck, bad: IconAlertTriangle };
/** Says what has happened, or why something did not. Screen readers read it when it appears. */
export function Notice({ kind, title, children }) {
    const Drawing = icons[kind];
    return (_jsxs("div", { className: classes.notice, "data-kind": kind, role: kind === 'bad' ? 'alert' : 'status', children: [_jsx(Drawing, { size: 18, className: classes.icon, "aria-hidden": true }), _jsxs("div", { children: [_jsx("div", { className: classes.title, children: title }), children !== undefined && _jsx("div", { className: classes.detail, children: children })] })] }));
}
