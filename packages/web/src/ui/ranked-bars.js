import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { formatCount } from './bytes.ts';
import classes from './ranked-bars.module.css';
/** Lists values with their share of the sum, each as a bar. */
export function RankedBars({ label, entries }) {
    const sum = entries.reduce((total, { value }) => total + value, 0);
    return (_jsx("ul", { className: classes.list, "aria-label": label, children: entries.map(({ name, value, color }) => {
            const percent = sum === 0 ? 0 : (value / sum) * 100;
            return (_jsxs("li", { children: [_jsxs("div", { className: classes.line, children: [_jsx("span", { className: classes.name, title: name, children: name }), _jsx("span", { className: classes.value, children: formatCount(value) }), _jsxs("span", { className: classes.share, children: [percent > 0 && percent < 1 ? '< 1' : Math.round(percent), " %"] })] }), _jsx("div", { className: classes.track, children: _jsx("div", { className: classes.bar, style: { width: `${percent}%`, background: color } }) })] }, name));
        }) }));
}
