import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { useQueries, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { valuesOf } from '../builds/build-list.search.ts';
import { buildQuery } from '../builds/build.queries.ts';
import { NewReleaseForm } from './new/new-release-form.tsx';
const route = getRouteApi('/console/applications/$applicationId/releases/new');
/** Creates a release, with the builds that the URL names. */
export function NewReleasePage() {
    const { applicationId } = route.useParams();
    const { builds: ids } = route.useSearch();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const builds = useQueries({
        queries: valuesOf(ids).map((id) => buildQuery(applicationId, id)),
    });
    const isPending = builds.some((each) => each.isPending);
    const failed = builds.find(({ error }) => error !== null);
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "New release", documentTitle: `${application.name} · New release` }), failed !== undefined && _jsx(FailureBanner, { error: failed.error, onRetry: () => void failed.refetch() }), isPending ? (_jsx(Skeleton, { height: 360, radius: "lg" })) : (_jsx(NewReleaseForm, { application: application, initialBuilds: builds.flatMap(({ data }) => data ?? []) }))] }));
}
