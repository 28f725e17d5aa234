import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Badge, Skeleton, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { streamText } from '../../../text/stream.ts';
import { formatBytes, plural } from '../../../ui/bytes.ts';
import classes from './stream-list.module.css';
/** A stream in the list. The whole row is a link. */
export function StreamRow({ applicationId, stream, totals, maxBytes, isDefault }) {
    const { name, description, retention_days: days } = stream;
    return (_jsxs("li", { className: classes.row, children: [_jsxs("div", { className: classes.name, children: [_jsxs("div", { className: classes.nameLine, children: [_jsx(Link, { to: "/applications/$applicationId/streams", params: { applicationId }, search: { stream: name }, className: classes.link, "data-row-link": true, children: name }), isDefault && (_jsx(Tooltip, { label: streamText.template, children: _jsx(Badge, { variant: "default", size: "sm", className: classes.badge, children: "Default" }) }))] }), description !== null && _jsx("div", { className: classes.soft, children: description })] }), totals === undefined ? (_jsx(Skeleton, { height: 12, width: "60%" })) : (_jsxs("div", { className: classes.size, children: [_jsxs("span", { className: "tabular", children: [plural(totals.builds, 'build'), ' ', _jsxs("span", { className: classes.soft, children: ["\u00B7 ", formatBytes(totals.bytes)] })] }), _jsx("span", { className: classes.track, "aria-hidden": true, children: _jsx("span", { className: classes.bar, style: { width: `${(totals.bytes / maxBytes) * 100}%` } }) })] })), _jsxs("div", { children: [_jsx("div", { children: days === null ? 'Kept forever' : `Kept for ${streamText.retention(days)}` }), days !== null && totals !== undefined && totals.going > 0 && (_jsxs("div", { className: classes.soft, children: [plural(totals.going, 'build'), " will go"] }))] })] }));
}
