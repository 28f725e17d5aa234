import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './label-dot.module.css';
const hues = [212, 150, 38, 268, 340, 182, 20, 96];
/** Returns a stable hue for a name, so that it has the same color everywhere. */
export function hueOf(name) {
    let hash = 0;
    for (const character of name)
        hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
    return hues[hash % hues.length] ?? 212;
}
/** Shows a label as text with a dot in its color. */
export function LabelDot({ name, color }) {
    return (_jsxs("span", { className: classes.label, children: [_jsx("svg", { width: "8", height: "8", "aria-hidden": true, children: _jsx("circle", { cx: "4", cy: "4", r: "4", fill: color }) }), _jsx("span", { className: classes.text, children: name })] }));
}
