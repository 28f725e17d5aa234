import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { IconFolder, IconLock } from '@tabler/icons-react';
import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { portalText } from '../../text/portals.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { plural } from '../../ui/bytes.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { applicationsQuery } from '../applications/application.queries.ts';
import { streamsQuery } from '../builds/build.queries.ts';
import classes from './portal-preview.module.css';
import { portalReleasesQuery } from './portal.queries.ts';
const shownReleases = 3;
/** Shows what visitors of a portal see now: the releases and streams of each application. */
export function PortalPreview({ portal }) {
    const { data: releases } = useQuery(portalReleasesQuery(portal.id));
    const { data: applications } = useSuspenseQuery(applicationsQuery);
    const streams = useShownStreams(portal);
    const shown = portal.applications
        .map(({ id, name }) => ({
        id,
        name,
        iconUrl: applications.find((application) => application.id === id)?.icon_url ?? null,
        releases: (releases ?? []).filter((release) => release.application_id === id),
        streams: streams.get(id) ?? [],
    }))
        .filter((application) => application.releases.length + application.streams.length > 0);
    return (_jsxs("aside", { className: classes.preview, "aria-label": "Preview", children: [_jsx("div", { className: classes.caption, children: "What visitors see" }), _jsxs("div", { className: classes.page, children: [_jsxs("div", { className: classes.head, children: [_jsx(ApplicationIcon, { name: portal.name, url: portal.icon_url, size: 48 }), _jsx("div", { className: classes.name, children: portal.name }), portal.description !== null && _jsx("div", { className: classes.soft, children: portal.description }), portal.type === 'private' && (_jsxs("div", { className: classes.private, children: [_jsx(IconLock, { size: 13, "aria-hidden": true }), " ", portalText.types.private] }))] }), releases === undefined && _jsx(Skeleton, { height: 120 }), releases !== undefined && shown.length === 0 && (_jsx("p", { className: classes.nothing, children: portalText.emptyPreview })), shown.map(({ id, name, iconUrl, releases: own, streams: names }) => (_jsxs("section", { className: classes.application, children: [_jsxs("h3", { className: classes.title, children: [_jsx(ApplicationIcon, { name: name, url: iconUrl, size: 20 }), name] }), _jsxs("ul", { className: classes.list, children: [own.slice(0, shownReleases).map((release) => (_jsxs("li", { children: [_jsxs("span", { className: classes.text, children: [_jsx("b", { children: release.version }), " ", release.title !== release.version && release.title] }), _jsx("span", { className: classes.soft, children: _jsx(RelativeTime, { time: release.published_at, short: true }) })] }, release.id))), own.length > shownReleases && (_jsx("li", { className: classes.soft, children: plural(own.length - shownReleases, 'older release') })), names.map((stream) => (_jsxs("li", { children: [_jsx(IconFolder, { size: 15, "aria-hidden": true }), _jsxs("span", { className: classes.text, children: ["Builds of ", stream] })] }, stream)))] })] }, id)))] })] }));
}
/** Returns the names of the streams that a portal shows, by application. */
function useShownStreams({ applications }) {
    const withStreams = applications.filter(({ streams_mode: mode }) => mode !== 'none');
    return useQueries({
        queries: withStreams.map(({ id }) => streamsQuery(id)),
        combine: (results) => new Map(withStreams.map(({ id, streams_mode: mode, stream_ids: ids }, index) => [
            id,
            (results[index]?.data ?? [])
                .filter((stream) => mode === 'all' || ids.includes(stream.id))
                .map(({ name }) => name),
        ])),
    });
}
