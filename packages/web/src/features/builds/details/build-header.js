import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconChevronLeft } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { ApplicationIcon } from '../../../ui/application-icon.tsx';
import { formatBytes } from '../../../ui/bytes.ts';
import { LabelDot } from '../../../ui/label-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { applicationQuery } from '../../applications/application.queries.ts';
import { BranchCommit, RetentionCountdown, SourceRun } from '../build-cells.tsx';
import { versionText } from '../build.queries.ts';
import classes from './build-header.module.css';
import { BuildMenu } from './build-menu.tsx';
import { LabelEditor } from './label-editor.tsx';
import { MainAction } from './main-action.tsx';
import { ShareMenu } from './share-menu.tsx';
/** Shows what a build is, and what can be done with it. */
export function BuildHeader({ build }) {
    const applicationId = build.application_id;
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { can } = useSession();
    return (_jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId", params: { applicationId }, className: classes.back, children: [_jsx(IconChevronLeft, { size: 15, "aria-hidden": true }), " Builds"] }), _jsx(PageHeader, { documentTitle: `${application.name} ${versionText(build)}`, icon: _jsx(ApplicationIcon, { name: application.name, url: build.icon_url ?? application.icon_url, size: 44 }), title: _jsxs(_Fragment, { children: [application.name, " ", build.version, build.build_number !== null && _jsxs("span", { className: classes.number, children: [" (", build.build_number, ")"] })] }), facts: _jsxs("div", { className: classes.labels, children: [build.labels.map(({ id, name, color }) => (_jsx(LabelDot, { name: name, color: color }, id))), can('builds:write', applicationId) && _jsx(LabelEditor, { build: build })] }), actions: _jsxs(_Fragment, { children: [_jsx(MainAction, { build: build }), _jsx(ShareMenu, { build: build }), _jsx(BuildMenu, { build: build })] }) }), _jsx(BuildFacts, { build: build })] }));
}
function BuildFacts({ build }) {
    const { scm, custom_target: target, stream, application_id: applicationId } = build;
    return (_jsxs("div", { className: classes.facts, children: [_jsxs("span", { children: [_jsx(PlatformIcon, { platform: build.platform, size: 16 }), build.platform.name, target !== null && ` · ${target.name}`] }), _jsx(Link, { to: "/applications/$applicationId", params: { applicationId }, search: { streams: stream.name.replaceAll(',', String.raw `\,`) }, title: `Builds of the stream ${stream.name}`, children: stream.name }), (scm.scm_branch !== null || scm.scm_commit_sha !== null) && _jsx(BranchCommit, { build: build }), _jsx(SourceRun, { build: build }), _jsx("span", { className: "tabular", children: formatBytes(build.size_total_bytes) }), _jsx(RelativeTime, { time: build.created_at }), _jsx(RetentionCountdown, { build: build })] }));
}
