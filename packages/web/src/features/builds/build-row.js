import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Checkbox, Loader, Skeleton, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatBytes } from '../../ui/bytes.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { BranchCommit, BuildLabels, RetentionCountdown, SourceRun } from './build-cells.tsx';
import { BuildRowActions } from './build-row-actions.tsx';
import classes from './build-table.module.css';
import { versionText } from './build.queries.ts';
/** A row of the builds list. The version is a link, so that the row can be opened in a new tab. */
export function BuildRow({ applicationId, build, position, columns, isSelected, isActive, onSelect }) {
    const common = { role: 'row', 'aria-rowindex': position + 2, className: classes.row };
    if (build === undefined)
        return (_jsxs("div", { ...common, "aria-busy": true, children: [_jsx("span", { role: "cell" }), _jsx("span", { role: "cell" }), ['version', ...columns].map((column) => (_jsx("span", { role: "cell", children: _jsx(Skeleton, { height: 12, width: "70%" }) }, column)))] }));
    const cells = {
        stream: _jsx("span", { className: classes.text, children: build.stream.name }),
        labels: _jsx(BuildLabels, { build: build }),
        commit: _jsx(BranchCommit, { build: build }),
        source: _jsx(SourceRun, { build: build }),
        size: _jsx("span", { className: "tabular", children: formatBytes(build.size_total_bytes) }),
        age: _jsx(RelativeTime, { time: build.created_at, short: true }),
    };
    return (_jsxs("div", { ...common, "data-selected": isSelected || undefined, "data-active": isActive || undefined, children: [_jsx("span", { role: "cell", className: classes.check, children: _jsx(Checkbox, { size: "xs", checked: isSelected, "aria-label": `Select ${versionText(build)}`, onChange: () => { }, onClick: (event) => onSelect(position, event.shiftKey) }) }), _jsx("span", { role: "cell", className: classes.icon, children: _jsx(PlatformIcon, { platform: build.platform }) }), _jsxs("span", { role: "cell", className: classes.versionCell, children: [_jsxs(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, className: classes.version, children: [build.version, build.build_number !== null && _jsxs("span", { className: classes.number, children: [" (", build.build_number, ")"] })] }), _jsx(BuildState, { build: build })] }), columns.map((column) => (_jsx("span", { role: "cell", "data-column": column, className: classes.cell, children: cells[column] }, column))), _jsxs("span", { role: "cell", className: classes.actions, children: [_jsx("span", { className: classes.countdown, children: _jsx(RetentionCountdown, { build: build }) }), _jsx(BuildRowActions, { applicationId: applicationId, build: build })] })] }));
}
/** Says that the package is still being read, or could not be read. */
export function BuildState({ build }) {
    if (build.pending_processing)
        return (_jsxs("span", { className: classes.state, children: [_jsx(Loader, { size: 11 }), " reading package\u2026"] }));
    if (build.processing_error === null)
        return null;
    return (_jsx(Tooltip, { label: build.processing_error, multiline: true, w: 280, children: _jsx("span", { className: classes.state, "data-failed": true, children: _jsx(IconAlertTriangle, { size: 15, role: "img", "aria-label": "The package could not be read" }) }) }));
}
