import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { plural } from '../../../ui/bytes.ts';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useRowFocus } from '../../../ui/use-row-focus.ts';
import { BuildLabels } from '../../builds/build-cells.tsx';
import { ReleaseStatus } from '../release-status.tsx';
import classes from './release-list.module.css';
const columns = [
    { label: 'Version', sortBy: 'version' },
    { label: 'Title', sortBy: 'title' },
    { label: 'Status' },
    { label: 'Platforms' },
    { label: 'Labels' },
    { label: 'Builds' },
    { label: 'Created', sortBy: 'created_at' },
];
/** The releases as rows, or as cards on a phone. */
export function ReleaseTable({ applicationId, releases, search, isStale, onChange }) {
    const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
    const ref = useRowFocus();
    const Item = isPhone ? ReleaseCard : ReleaseRow;
    return (_jsxs("div", { role: "table", "aria-label": "Releases", className: `${classes.table} ${isStale ? classes.stale : ''}`, children: [!isPhone && (_jsx("div", { role: "rowgroup", children: _jsx("div", { role: "row", className: classes.headRow, children: columns.map((column) => (_jsx(Heading, { ...column, search: search, onChange: onChange }, column.label))) }) })), _jsx("div", { role: "rowgroup", ref: ref, children: releases === undefined
                    ? Array.from({ length: 8 }, (_, index) => _jsx(SkeletonRow, { isPhone: isPhone }, index))
                    : releases.map((release) => (_jsx(Item, { applicationId: applicationId, release: release }, release.id))) })] }));
}
function Heading({ label, sortBy, search, onChange }) {
    if (sortBy === undefined)
        return _jsx("span", { role: "columnheader", children: label });
    const isSorted = (search.sort_by ?? 'created_at') === sortBy;
    const isAscending = isSorted && search.sort === 'asc';
    const Arrow = isAscending ? IconArrowUp : IconArrowDown;
    return (_jsx("span", { role: "columnheader", "aria-sort": isSorted ? (isAscending ? 'ascending' : 'descending') : 'none', children: _jsxs(UnstyledButton, { className: classes.sort, onClick: () => onChange({ sort_by: sortBy, sort: isSorted && !isAscending ? 'asc' : 'desc' }), children: [label, isSorted && _jsx(Arrow, { size: 13, "aria-hidden": true })] }) }));
}
function ReleaseRow({ applicationId, release }) {
    return (_jsxs("div", { role: "row", className: classes.row, children: [_jsx("span", { role: "cell", children: _jsx(VersionLink, { applicationId: applicationId, release: release }) }), _jsx("span", { role: "cell", children: release.title }), _jsx("span", { role: "cell", children: _jsx(ReleaseStatus, { release: release }) }), _jsx("span", { role: "cell", children: _jsx(Platforms, { release: release }) }), _jsx("span", { role: "cell", children: _jsx(BuildLabels, { build: release }) }), _jsx("span", { role: "cell", className: "tabular", children: release.build_count }), _jsx("span", { role: "cell", className: classes.soft, children: _jsx(RelativeTime, { time: release.created_at, short: true }) })] }));
}
function ReleaseCard({ applicationId, release }) {
    return (_jsxs("div", { role: "row", className: classes.card, children: [_jsxs("div", { className: classes.line, role: "cell", children: [_jsx(VersionLink, { applicationId: applicationId, release: release }), _jsx(ReleaseStatus, { release: release })] }), _jsx("div", { role: "cell", className: classes.title, children: release.title }), _jsxs("div", { className: classes.line, role: "cell", children: [_jsx(Platforms, { release: release }), _jsxs("span", { className: classes.soft, children: [plural(release.build_count, 'build'), " \u00B7 ", _jsx(RelativeTime, { time: release.created_at, short: true })] })] })] }));
}
function VersionLink({ applicationId, release }) {
    return (_jsx(Link, { to: "/applications/$applicationId/releases/$releaseId", params: { applicationId, releaseId: release.id }, className: classes.version, "data-row-link": true, children: release.version }));
}
const Platforms = ({ release: { platforms } }) => (_jsx("span", { className: classes.platforms, children: platforms.map((platform) => (_jsx(PlatformIcon, { platform: platform, size: 17 }, platform.identifier))) }));
function SkeletonRow({ isPhone }) {
    return (_jsx("div", { role: "row", "aria-busy": true, className: isPhone ? classes.card : classes.row, children: (isPhone ? ['version', 'title', 'facts'] : columns.map(({ label }) => label)).map((name) => (_jsx("span", { role: "cell", children: _jsx(Skeleton, { height: 12, width: "70%" }) }, name))) }));
}
