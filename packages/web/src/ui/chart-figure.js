import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ColorSwatch, VisuallyHidden } from '@mantine/core';
import classes from './chart-figure.module.css';
import { seriesCssColor } from './series-color.ts';
/** Frames a chart with a legend, and with its values as a table for screen readers. */
export function ChartFigure({ label, series, withLegend = true, children }) {
    return (_jsxs("figure", { className: classes.figure, "aria-label": label, children: [_jsx("div", { "aria-hidden": true, children: children }), withLegend && (_jsx("ul", { className: classes.legend, "aria-hidden": true, children: series.map(({ name }, position) => (_jsxs("li", { children: [_jsx(ColorSwatch, { size: 8, color: seriesCssColor(position) }), name] }, name))) })), _jsx(VisuallyHidden, { children: _jsxs("table", { children: [_jsx("caption", { children: label }), _jsx("tbody", { children: series.map(({ name, value }) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: name }), _jsx("td", { children: value })] }, name))) })] }) })] }));
}
