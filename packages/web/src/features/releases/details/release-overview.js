import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { serviceUrl } from '../../../api/client.ts';
import { CommandLine } from '../../../ui/command-line.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Section } from '../../../ui/section.tsx';
import { AudienceSummary } from './audience-summary.tsx';
import { ReleaseBuilds } from './release-builds.tsx';
import { ReleaseNotes } from './release-notes.tsx';
import classes from './release-page.module.css';
const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId');
/** The notes and builds of a release, and who gets it at a glance. */
export function ReleaseOverview({ release }) {
    const commands = {
        draft: 'publish',
        scheduled: 'publish',
        published: 'view',
        withdrawn: 'publish',
    };
    const { status, id, application_id: applicationId } = release;
    const command = `quayside releases ${commands[status]} ${id} \\\n  --application ${applicationId} --server ${serviceUrl}`;
    return (_jsxs("div", { className: classes.columns, children: [_jsxs("div", { children: [_jsx(ReleaseNotes, { release: release }), _jsx(ReleaseBuilds, { release: release }), _jsx(Section, { title: "From a terminal", children: _jsx(CommandLine, { code: command }) })] }), _jsxs("aside", { className: classes.aside, children: [_jsxs("section", { className: classes.card, "aria-labelledby": "release-audience", children: [_jsx(Title, { order: 2, id: "release-audience", fz: "sm", mb: "sm", children: status === 'published' ? 'Audience' : 'When it is published' }), _jsx(AudienceSummary, { release: release }), _jsx(route.Link, { to: ".", search: { tab: 'audience' }, className: classes.cardLink, children: status === 'published' ? 'Groups and portals' : 'Choose groups and portals' })] }), _jsx(Dates, { release: release })] })] }));
}
function Dates({ release }) {
    const { created_at, published_at, withdrawn_at, updated_at, id } = release;
    const dates = [
        { name: 'Created', time: created_at },
        { name: 'Published', time: published_at },
        { name: 'Withdrawn', time: withdrawn_at },
        { name: 'Changed', time: updated_at === created_at ? null : updated_at },
    ];
    return (_jsxs("dl", { className: classes.dates, children: [dates.map(({ name, time }) => time !== null && (_jsxs("div", { children: [_jsx("dt", { children: name }), _jsx("dd", { children: _jsx(RelativeTime, { time: time }) })] }, name))), _jsxs("div", { children: [_jsx("dt", { children: "ID" }), _jsx("dd", { children: _jsx(Copyable, { value: id, label: "ID of the release", mono: true }) })] })] }));
}
