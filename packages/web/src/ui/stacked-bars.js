import { jsx as _jsx } from "react/jsx-runtime";
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { ChartFigure } from './chart-figure.tsx';
import { seriesColor } from './series-color.ts';
/** Draws values per period as stacked bars, with their sums as a table for screen readers. */
export function StackedBars({ label, periods, series, format, height, withLegend = true }) {
    const data = periods.map((period, index) => ({
        period,
        // Keys of the data are positions, because a name may contain dots, which the chart reads as paths.
        ...Object.fromEntries(series.map(({ values }, position) => [`s${position}`, values[index] ?? 0])),
    }));
    return (_jsx(ChartFigure, { label: label, withLegend: withLegend, series: series.map(({ name, values }) => ({
            name,
            value: format(values.reduce((sum, value) => sum + value, 0)),
        })), children: _jsx(BarChart, { h: height, data: data, barChartProps: { accessibilityLayer: false }, dataKey: "period", type: "stacked", gridAxis: "x", tickLine: "none", valueFormatter: format, maxBarWidth: 28, yAxisProps: { width: 36, allowDecimals: false }, xAxisProps: { tickMargin: 8, interval: 'preserveStartEnd', minTickGap: 40 }, tooltipProps: { cursor: { fill: 'var(--q-hover)' } }, barProps: { isAnimationActive: false }, series: series.map(({ name }, position) => ({
                name: `s${position}`,
                label: name,
                color: seriesColor(position),
            })) }) }));
}
