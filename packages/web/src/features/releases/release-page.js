import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, Tabs } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { optionalOneOf } from '../../api/search-params.ts';
import { useSession } from '../../api/session.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { ShareLinkList } from '../share-links/share-link-list.tsx';
import { Audience } from './audience/audience.tsx';
import { ReleaseHeader } from './details/release-header.tsx';
import { ReleaseOverview } from './details/release-overview.tsx';
import classes from './details/release-page.module.css';
import { StatusBanner } from './details/status-banner.tsx';
import { releaseQuery } from './release.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId');
const tabs = ['overview', 'audience', 'share-links'];
/** A release: its notes and builds, and the people who get it. */
export function ReleasePage() {
    const { applicationId, releaseId } = route.useParams();
    const search = route.useSearch();
    const navigate = route.useNavigate();
    const { can } = useSession();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { data: release, error, refetch } = useQuery(releaseQuery(applicationId, releaseId));
    const tab = optionalOneOf(search.tab, tabs) ?? 'overview';
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    return (_jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId/releases", params: { applicationId }, className: classes.back, children: [_jsx(IconChevronLeft, { size: 15, "aria-hidden": true }), "Releases"] }), release === undefined ? (_jsx(ReleaseSkeleton, {})) : (_jsxs(_Fragment, { children: [_jsx(ReleaseHeader, { release: release, applicationName: application.name }), _jsx(StatusBanner, { release: release }), _jsxs(Tabs, { value: tab, onChange: (value) => void navigate({ search: { tab: value === 'overview' || value === null ? undefined : value } }), children: [_jsxs(Tabs.List, { children: [_jsx(Tabs.Tab, { value: "overview", children: "Overview" }), _jsx(Tabs.Tab, { value: "audience", children: "Audience" }), can('share_links:read', applicationId) && _jsx(Tabs.Tab, { value: "share-links", children: "Share links" })] }), _jsx(Tabs.Panel, { value: "overview", children: _jsx(ReleaseOverview, { release: release }) }), _jsx(Tabs.Panel, { value: "audience", children: _jsx(Audience, { release: release }) }), _jsx(Tabs.Panel, { value: "share-links", children: _jsx("div", { className: classes.panel, children: _jsx(ShareLinkList, { shareable: { type: 'release', applicationId, id: releaseId }, name: `${application.name} ${release.version}` }) }) })] })] }))] }));
}
function ReleaseSkeleton() {
    return (_jsxs("div", { "aria-busy": true, children: [_jsx(Skeleton, { height: 24, width: "18rem", mb: 10 }), _jsx(Skeleton, { height: 14, width: "26rem", maw: "100%", mb: 32 }), _jsxs("div", { className: classes.columns, children: [_jsxs("div", { children: [_jsx(Skeleton, { height: 14, width: "80%", mb: 10 }), _jsx(Skeleton, { height: 14, width: "60%", mb: 32 }), _jsx(Skeleton, { height: 180, radius: "lg" })] }), _jsx(Skeleton, { height: 160, radius: "lg" })] })] }));
}
