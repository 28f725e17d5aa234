import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { optionalOneOf } from '../../../api/search-params.ts';
import { useSession } from '../../../api/session.ts';
import { formatCount } from '../../../ui/bytes.ts';
import { shareLinksQuery } from '../../share-links/share-link.queries.ts';
import { FileCheck } from '../files/file-check.tsx';
import { Overview } from '../overview/overview.tsx';
import { BuildBanners } from './build-banners.tsx';
import classes from './build-details.module.css';
import { downloadCountQuery } from './build-details.queries.ts';
import { BuildHeader } from './build-header.tsx';
import { TabSkeleton } from './tab-skeleton.tsx';
import { useBuildPageActions } from './use-build-page-actions.tsx';
const route = getRouteApi('/console/applications/$applicationId/builds/$buildId');
const tabNames = [
    'overview',
    'files',
    'artifacts',
    'downloads',
    'compare',
    'share-links',
    'activity',
];
const Files = lazy(async () => ({ default: (await import('../files/files.tsx')).Files }));
const Artifacts = lazy(async () => ({ default: (await import('../artifacts/artifacts.tsx')).Artifacts }));
const Downloads = lazy(async () => ({ default: (await import('../downloads/downloads.tsx')).Downloads }));
const Compare = lazy(async () => ({ default: (await import('../compare/compare.tsx')).Compare }));
const ShareLinks = lazy(async () => ({
    default: (await import('../../share-links/share-link-list.tsx')).ShareLinkList,
}));
const Activity = lazy(async () => ({ default: (await import('../activity/activity.tsx')).Activity }));
/** Everything about one build. */
export function BuildDetails({ build }) {
    const { tab } = route.useSearch();
    const navigate = route.useNavigate();
    const { can } = useSession();
    const { application_id: applicationId, id } = build;
    useBuildPageActions(build);
    const canReadLinks = can('share_links:read', applicationId);
    const canReadActivity = can('workspace:read');
    const { data: downloads } = useQuery(downloadCountQuery(applicationId, id));
    const shareable = { type: 'build', applicationId, id };
    const { data: links } = useQuery({ ...shareLinksQuery(shareable), enabled: canReadLinks });
    return (_jsxs(_Fragment, { children: [_jsx(BuildHeader, { build: build }), _jsx(BuildBanners, { build: build }), _jsx(FileCheck, { build: build }), _jsxs(Tabs, { value: optionalOneOf(tab, tabNames) ?? 'overview', onChange: (value) => void navigate({
                    search: { tab: value === 'overview' || value === null ? undefined : value },
                    replace: true,
                    resetScroll: false,
                }), children: [_jsxs(Tabs.List, { className: classes.tabs, ref: showActiveTab, children: [_jsx(Tabs.Tab, { value: "overview", children: "Overview" }), _jsx(Counted, { value: "files", count: 1 + build.expansion_files.length, children: "Files" }), _jsx(Counted, { value: "artifacts", count: build.metadata_artifacts.length, children: "Artifacts" }), _jsx(Counted, { value: "downloads", count: downloads, children: "Downloads" }), _jsx(Tabs.Tab, { value: "compare", children: "Compare" }), canReadLinks && (_jsx(Counted, { value: "share-links", count: links?.length, children: "Share links" })), canReadActivity && _jsx(Tabs.Tab, { value: "activity", children: "Activity" })] }), _jsx(Panel, { value: "overview", children: _jsx(Overview, { build: build }) }), _jsx(Panel, { value: "files", children: _jsx(Files, { build: build }) }), _jsx(Panel, { value: "artifacts", children: _jsx(Artifacts, { build: build }) }), _jsx(Panel, { value: "downloads", children: _jsx(Downloads, { build: build }) }), _jsx(Panel, { value: "compare", children: _jsx(Compare, { build: build }) }), canReadLinks && (_jsx(Panel, { value: "share-links", children: _jsx(ShareLinks, { shareable: shareable }) })), canReadActivity && (_jsx(Panel, { value: "activity", children: _jsx(Activity, { build: build }) }))] })] }));
}
/** Scrolls to the active tab, which may be outside a narrow screen. */
function showActiveTab(list) {
    const tab = list?.querySelector('[aria-selected=true]');
    if (list && tab)
        list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2;
}
function Counted({ value, count, children, }) {
    return (_jsxs(Tabs.Tab, { value: value, children: [children, count !== undefined && count > 0 && _jsx("span", { className: classes.count, children: formatCount(count) })] }));
}
function Panel({ value, children }) {
    return (_jsx(Tabs.Panel, { value: value, tabIndex: -1, children: _jsx(Suspense, { fallback: _jsx(TabSkeleton, {}), children: children }) }));
}
