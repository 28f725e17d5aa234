import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatBytes } from '../../ui/bytes.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './build-card.module.css';
import { BranchCommit, BuildLabels, RetentionCountdown } from './build-cells.tsx';
import { BuildRowActions } from './build-row-actions.tsx';
import { BuildState } from './build-row.tsx';
/** The height of a card in pixels. All cards have the same height, so that the list never jumps. */
export const cardHeight = 104;
/** A build in the list on a phone. */
export function BuildCard({ applicationId, build }) {
    if (build === undefined)
        return (_jsxs("div", { className: classes.card, "aria-busy": true, style: { height: cardHeight }, children: [_jsx(Skeleton, { height: 14, width: "60%" }), _jsx(Skeleton, { height: 12, width: "80%" }), _jsx(Skeleton, { height: 12, width: "40%" })] }));
    return (_jsxs("div", { role: "row", className: classes.card, style: { height: cardHeight }, children: [_jsxs("div", { className: classes.line, role: "cell", children: [_jsx(PlatformIcon, { platform: build.platform }), _jsxs(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, className: classes.version, children: [build.version, build.build_number !== null && _jsxs("span", { className: classes.soft, children: [" (", build.build_number, ")"] })] }), _jsx(BuildState, { build: build }), _jsxs("span", { className: classes.end, children: [_jsx(RetentionCountdown, { build: build }), _jsx(BuildRowActions, { applicationId: applicationId, build: build })] })] }), _jsxs("div", { className: classes.line, role: "cell", children: [_jsx("span", { children: build.stream.name }), _jsx(BuildLabels, { build: build })] }), _jsxs("div", { className: classes.line, role: "cell", children: [_jsx("span", { className: classes.grow, children: _jsx(BranchCommit, { build: build }) }), _jsxs("span", { className: classes.soft, children: [formatBytes(build.size_total_bytes), " \u00B7 ", _jsx(RelativeTime, { time: build.created_at, short: true })] })] })] }));
}
