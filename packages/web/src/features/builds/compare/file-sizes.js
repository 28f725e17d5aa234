import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { formatBytes } from '../../../ui/bytes.ts';
import classes from './compare.module.css';
/** Draws the sizes of the files of two builds as bars. */
export function FileSizes({ files }) {
    const max = Math.max(1, ...files.flatMap(({ before = 0, after = 0 }) => [before, after]));
    return (_jsx("div", { children: files.map(({ name, before, after }) => (_jsxs("div", { className: classes.file, children: [_jsx("span", { className: classes.name, children: name }), _jsx(Delta, { before: before, after: after }), _jsxs("div", { className: classes.bars, "aria-hidden": true, children: [_jsx("span", { style: { width: `${((before ?? 0) / max) * 100}%` } }), _jsx("span", { style: { width: `${((after ?? 0) / max) * 100}%` } })] })] }, name))) }));
}
function Delta({ before, after }) {
    if (after === undefined)
        return (_jsxs("span", { className: classes.delta, "data-removed": true, children: ["removed (", formatBytes(before ?? 0), ")"] }));
    if (before === undefined)
        return (_jsxs("span", { className: classes.delta, "data-added": true, children: ["added (", formatBytes(after), ")"] }));
    const change = after - before;
    if (change === 0)
        return _jsxs("span", { className: classes.delta, children: [formatBytes(after), ", unchanged"] });
    const percent = before === 0 ? '' : `, ${change > 0 ? '+' : '−'}${percentText(Math.abs(change) / before)}`;
    return (_jsxs("span", { className: `${classes.delta} tabular`, "data-grown": change > 0 || undefined, "data-shrunk": change < 0 || undefined, children: [formatBytes(before), " \u2192 ", formatBytes(after), " (", change > 0 ? '+' : '−', formatBytes(Math.abs(change)), percent, ")"] }));
}
const percentText = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
