import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { releaseText } from '../../../text/release.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { BranchCommit } from '../../builds/build-cells.tsx';
import { buildQuery, versionText } from '../../builds/build.queries.ts';
import { downloadBuild } from '../../builds/download-build.ts';
import { isOtherVersion } from '../version.ts';
import classes from './release-build-list.module.css';
/** The builds of a release by platform. */
export function ReleaseBuildList({ applicationId, builds, version, withFiles = false, onRemove }) {
    const platforms = [...Map.groupBy(builds, ({ platform }) => platform.identifier).values()].toSorted(([one], [other]) => (one?.platform.name ?? '').localeCompare(other?.platform.name ?? ''));
    return (_jsx("div", { className: classes.platforms, children: platforms.map((ofPlatform) => {
            const platform = ofPlatform[0]?.platform;
            if (platform === undefined)
                return null;
            return (_jsxs("section", { "aria-label": platform.name, className: classes.platform, children: [_jsxs("div", { className: classes.name, children: [_jsx(PlatformIcon, { platform: platform }), platform.name] }), _jsx("ul", { className: classes.builds, children: ofPlatform.map((build) => (_jsxs("li", { className: classes.build, children: [_jsx(BuildLine, { build: build, applicationId: applicationId, version: version }), withFiles && _jsx(FileLine, { build: build, applicationId: applicationId }), _jsxs("span", { className: classes.actions, children: [withFiles && (_jsx(Tooltip, { label: "Download", children: _jsx(ActionIcon, { variant: "default", size: "lg", "aria-label": `Download ${platform.name} ${versionText(build)}`, onClick: () => void downloadBuild(applicationId, build.id), children: _jsx(IconDownload, { size: 17 }) }) })), onRemove !== undefined && (_jsx(Tooltip, { label: "Remove from the release", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `Remove ${platform.name} ${versionText(build)}`, onClick: () => onRemove(build), children: _jsx(IconX, { size: 17 }) }) }))] })] }, build.id))) })] }, platform.identifier));
        }) }));
}
function BuildLine({ applicationId, build, version }) {
    return (_jsxs("span", { className: classes.line, children: [_jsx(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, className: classes.version, children: versionText(build) }), version !== '' && isOtherVersion(build, version) && (_jsx(Tooltip, { label: releaseText.version.differsBuild(version), children: _jsx(IconAlertTriangle, { size: 15, color: "var(--q-warn)", role: "img", "aria-label": releaseText.version.differsBuild(version) }) })), build.custom_target !== null && _jsx("span", { children: build.custom_target.name }), _jsx("span", { className: classes.soft, children: build.stream.name }), _jsx(BranchCommit, { build: build }), _jsxs("span", { className: `${classes.soft} tabular`, children: [formatBytes(build.size_total_bytes), " \u00B7 ", _jsx(RelativeTime, { time: build.created_at, short: true })] })] }));
}
/** The primary file with its SHA-256 checksum. */
function FileLine({ applicationId, build }) {
    const { data } = useQuery(buildQuery(applicationId, build.id));
    const file = data?.primary_file;
    return (_jsx("span", { className: classes.file, children: file === undefined ? ('\u00A0') : (_jsxs(_Fragment, { children: [_jsx("span", { className: classes.fileName, children: file.filename }), file.checksum_sha256 !== null && (_jsxs(Copyable, { value: file.checksum_sha256, label: "SHA-256", mono: true, children: ["SHA-256 ", file.checksum_sha256.slice(0, 12), "\u2026"] }))] })) }));
}
