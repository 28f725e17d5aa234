import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Link } from '@tanstack/react-router';
import classes from './side-nav-link.module.css';
/** Links to a page from the sidebar and marks the page that is open. */
export function SideNavLink({ icon, children, end, ...link }) {
    return (_jsxs(Link, { ...link, className: classes.link, activeProps: { 'data-active': true, 'aria-current': 'page' }, children: [_jsx("span", { className: classes.icon, children: icon }), _jsx("span", { className: classes.text, children: children }), end] }));
}
