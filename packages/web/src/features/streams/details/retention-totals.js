import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { streamText } from '../../../text/stream.ts';
import { formatBytes, formatCount } from '../../../ui/bytes.ts';
import classes from './stream-details.module.css';
/** How many builds go now, go later and stay, as one bar and in numbers. */
export function RetentionTotals({ summary, days }) {
    if (summary === undefined)
        return _jsx(Skeleton, { height: 84, radius: "lg", mt: "md" });
    const { due, goes, stays } = summary;
    const all = { builds: goes.builds + stays.builds, bytes: goes.size_total_bytes + stays.size_total_bytes };
    const none = { builds: 0, bytes: 0 };
    const parts = [
        {
            name: 'due',
            ...(days === null ? none : { builds: due.builds, bytes: due.size_total_bytes }),
        },
        {
            name: 'later',
            ...(days === null
                ? none
                : {
                    builds: goes.builds - due.builds,
                    bytes: goes.size_total_bytes - due.size_total_bytes,
                }),
        },
        {
            name: 'stays',
            ...(days === null ? all : { builds: stays.builds, bytes: stays.size_total_bytes }),
        },
    ];
    return (_jsxs("div", { className: classes.totals, children: [_jsx("div", { className: classes.share, "aria-hidden": true, children: parts.map(({ name, builds }) => (_jsx("span", { "data-part": name, style: { flexGrow: builds, display: builds === 0 ? 'none' : undefined } }, name))) }), _jsx("dl", { className: classes.numbers, children: parts.map(({ name, builds, bytes }) => (_jsxs("div", { children: [_jsxs("dt", { children: [_jsx("span", { className: classes.dot, "data-part": name, "aria-hidden": true }), streamText.summary[name]] }), _jsxs("dd", { children: [_jsx("strong", { className: "tabular", children: formatCount(builds) }), ' ', _jsxs("span", { className: classes.soft, children: [builds === 0 ? '' : `${formatBytes(bytes)}, `, streamText.summary[`${name}Help`]] })] })] }, name))) })] }));
}
