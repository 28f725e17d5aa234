import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './note.module.css';
/** A short remark that stands out from the text around it, such as a warning or a recommendation. */
export function Note({ tone = 'neutral', icon, children }) {
    return (_jsxs("div", { className: classes.note, "data-tone": tone, role: tone === 'bad' ? 'alert' : 'note', children: [icon, _jsx("div", { className: classes.text, children: children })] }));
}
