import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { releaseText } from '../../text/release.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { plural } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { NoReleases } from './list/no-releases.tsx';
import { ReleaseFilters } from './list/release-filters.tsx';
import classes from './list/release-list.module.css';
import { isFiltered, noReleaseFilters } from './list/release-list.search.ts';
import { ReleaseTable } from './list/release-table.tsx';
import { releasePagesQuery } from './release.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/releases');
/** The releases of an application. The filters and the order are in the URL. */
export function ReleaseListPage() {
    const { applicationId } = route.useParams();
    const search = route.useSearch();
    const navigate = route.useNavigate();
    const { can } = useSession();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({ ...releasePagesQuery(applicationId, search), placeholderData: keepPreviousData });
    const releases = data?.pages.flatMap((page) => page.data);
    const total = data?.pages[0]?.pagination.total;
    const onChange = (change) => void navigate({ search: (previous) => ({ ...previous, ...change }), replace: 'search' in change });
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Releases", documentTitle: `${application.name} · Releases`, facts: total === undefined ? '\u00A0' : plural(total, 'release'), actions: can('releases:create', applicationId) && (_jsx(ButtonLink, { to: "/applications/$applicationId/releases/new", params: { applicationId }, leftSection: _jsx(IconPlus, { size: 16 }), children: "New release" })) }), (total !== 0 || isFiltered(search)) && (_jsx(ReleaseFilters, { applicationId: applicationId, search: search, onChange: onChange })), error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void refetch() }), total === 0 ? (_jsx(NoReleases, { applicationId: applicationId, isFiltered: isFiltered(search), onClear: () => onChange(noReleaseFilters) })) : (error === null && (_jsx(ReleaseTable, { applicationId: applicationId, releases: releases, search: search, isStale: isPlaceholderData, onChange: onChange }))), hasNextPage && (_jsx("div", { className: classes.more, children: _jsx(Button, { variant: "default", loading: isFetchingNextPage, onClick: () => void fetchNextPage(), children: releaseText.list.more }) }))] }));
}
