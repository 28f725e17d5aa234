import { jsx as _jsx } from "react/jsx-runtime";
import classes from './json-view.module.css';
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Shows text in a monospace box that scrolls. JSON is colored. */
export function JsonView({ text, label }) {
    return (_jsx("pre", { className: classes.box, tabIndex: 0, "aria-label": label, children: colored(text) }));
}
/** Returns JSON with indentation, or undefined if the text is not a JSON object or array. */
export function prettyJson(text) {
    if (!/^\s*[[{]/.test(text))
        return undefined;
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    }
    catch {
        return undefined;
    }
}
function colored(text) {
    if (!/^\s*[[{]/.test(text))
        return text;
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(tokens)) {
        const [token, string, colon] = match;
        parts.push(text.slice(end, match.index));
        const kind = string === undefined ? classes.value : colon === undefined ? classes.string : classes.key;
        parts.push(_jsx("span", { className: kind, children: string ?? token }, match.index), colon ?? '');
        end = match.index + token.length;
    }
    parts.push(text.slice(end));
    return parts;
}
