import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './build-banners.module.css';
/** Says something that matters for the whole page, with the action that deals with it. */
export function Banner({ tone, icon, title, children, action }) {
    return (_jsxs("div", { className: classes.banner, "data-tone": tone, role: "status", children: [icon, _jsxs("div", { className: classes.text, children: [_jsx("span", { className: classes.title, children: title }), children] }), action] }));
}
