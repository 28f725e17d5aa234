import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { formatBytes, formatCount, plural } from '../../ui/bytes.ts';
import classes from './insights-page.module.css';
/** The sums of the period: uploads, downloads, storage and the most downloaded version. */
export function StatisticsTotals({ statistics: { days, uploads, downloads, versions, storage }, }) {
    const top = versions.find(({ version }) => version !== null);
    const before = storage.by_stream.reduce((sum, { bytes }) => sum + (bytes[0] ?? 0), 0);
    return (_jsxs("dl", { className: classes.totals, style: { margin: 0 }, children: [_jsx(Total, { label: "Uploads", value: formatCount(uploads.total), detail: `${perWeek(uploads.total, days.length)} a week` }), _jsx(Total, { label: "Downloads", value: formatCount(downloads.total), detail: `${perWeek(downloads.total, days.length)} a week` }), _jsx(Total, { label: "Stored now", value: formatBytes(storage.stored_bytes), detail: changeText(storage.stored_bytes - before) }), _jsx(Total, { label: "Most downloaded version", value: top?.version ?? '–', detail: top === undefined ? 'No downloads' : plural(top.total, 'download') })] }));
}
function Total({ label, value, detail }) {
    return (_jsxs("div", { className: classes.total, children: [_jsx("dt", { className: classes.totalLabel, children: label }), _jsxs("dd", { style: { margin: 0 }, children: [_jsx("div", { className: classes.totalValue, title: value, children: value }), _jsx("div", { className: classes.totalDetail, children: detail })] })] }));
}
function perWeek(total, days) {
    const average = (total / Math.max(days, 7)) * 7;
    return average > 0 && average < 1 ? 'Less than 1' : `About ${formatCount(Math.round(average))}`;
}
function changeText(bytes) {
    if (bytes === 0)
        return 'Unchanged in this period';
    return `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))} in this period`;
}
