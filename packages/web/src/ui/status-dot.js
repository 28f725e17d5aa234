import { jsx as _jsx } from "react/jsx-runtime";
import classes from './status-dot.module.css';
/** A dot in the color of a status. The text beside it says the same. */
export function StatusDot({ tone }) {
    return _jsx("span", { className: classes.dot, "data-tone": tone, "aria-hidden": true });
}
