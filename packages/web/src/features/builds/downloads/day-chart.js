import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tooltip } from '@mantine/core';
import { plural } from '../../../ui/bytes.ts';
import { useNow } from '../../../ui/now.ts';
import { calendarDay } from '../../../ui/time.ts';
import { downloadsPerDay } from './downloads-per-day.ts';
import classes from './downloads.module.css';
const shownDays = 30;
/** Draws the downloads of each of the last 30 days. */
export function DayChart({ downloads }) {
    const days = downloadsPerDay(downloads, shownDays, useNow());
    const max = Math.max(1, ...days.map(({ count }) => count));
    const total = days.reduce((sum, { count }) => sum + count, 0);
    return (_jsxs("figure", { className: classes.chart, style: { marginInline: 0 }, children: [_jsx("div", { className: classes.bars, role: "img", "aria-label": `${plural(total, 'download')} in the last ${shownDays} days, at most ${max} a day`, children: days.map(({ day, count }) => (_jsx(Tooltip, { openDelay: 0, label: `${calendarDay(day.toISOString())}: ${plural(count, 'download')}`, children: _jsx("div", { className: classes.bar, children: _jsx("span", { style: { height: `${(count / max) * 100}%`, minHeight: count > 0 ? 3 : 0 } }) }) }, day.getTime()))) }), _jsxs("figcaption", { className: classes.axis, children: [_jsxs("span", { children: [shownDays, " days ago"] }), _jsxs("span", { children: [plural(total, 'download'), " in 30 days"] }), _jsx("span", { children: "today" })] })] }));
}
