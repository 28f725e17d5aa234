import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { streamText } from '../../../text/stream.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { absoluteTime, daysUntil } from '../../../ui/time.ts';
import { versionText } from '../../builds/build.queries.ts';
import classes from './stream-details.module.css';
import { goesAt } from './timeline.ts';
/** A build with a bar from its upload until it goes. The bar of a build that stays has no end. */
export function RetentionRow({ applicationId, row, days, now, timeline }) {
    const { build } = row;
    const end = goesAt(row, days);
    const start = timeline.position(Date.parse(build.created_at));
    const width = (end === undefined ? 100 : timeline.position(end)) - start;
    const state = end === undefined ? 'stays' : end <= now ? 'due' : 'later';
    return (_jsxs("li", { className: classes.row, children: [_jsxs("span", { className: classes.build, children: [_jsx(PlatformIcon, { platform: build.platform, size: 16 }), _jsx(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, className: classes.version, children: versionText(build) }), _jsx("span", { className: `${classes.soft} tabular`, children: formatBytes(build.size_total_bytes) })] }), _jsx(Tooltip, { label: `Uploaded ${absoluteTime(build.created_at)}${end === undefined ? '' : `, goes ${absoluteTime(new Date(end).toISOString())}`}`, children: _jsx("span", { className: classes.lane, "aria-hidden": true, children: _jsx("span", { className: classes.span, "data-part": state, style: {
                            left: `${start}%`,
                            width: `max(6px, ${width}%)`,
                            '--age': `${((timeline.position(now) - start) / Math.max(width, 0.01)) * 100}%`,
                        } }) }) }), _jsx("span", { className: classes.outcome, "data-part": state, children: end === undefined ? _jsx(Reasons, { applicationId: applicationId, row: row }) : outcomeText(end, now) })] }));
}
function outcomeText(end, now) {
    if (end <= now)
        return streamText.outcomes.due;
    const days = daysUntil(new Date(end).toISOString(), now);
    return days < 1 ? streamText.outcomes.today : streamText.outcomes.days(days);
}
function Reasons({ applicationId, row: { kept_by: reasons } }) {
    const own = reasons.filter(({ reason }) => reason !== 'stream');
    if (own.length === 0)
        return streamText.reasons.stream;
    return own.map(({ reason, releases = [], message }, index) => (_jsxs("span", { children: [index > 0 && ' · ', reason === 'release' ? (_jsxs(_Fragment, { children: ["In release", ' ', releases.map(({ id, version }, position) => (_jsxs("span", { children: [position > 0 && ', ', _jsx(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId, releaseId: id }, children: version })] }, id)))] })) : reason === 'stream' ? (message) : (streamText.reasons[reason])] }, reason)));
}
