import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
export const buildsPerPage = 100;
/** The order of the list if the URL names none: newest first. */
export const defaultOrder = { sort_by: 'created_at', sort: 'desc' };
/** One page of the builds that match the filters, with the total. Pages start at 1. */
export const buildPageQuery = (applicationId, search, page) => queryOptions({
    queryKey: ['applications', applicationId, 'builds', 'list', search, page],
    queryFn: ({ signal }) => api.listBuilds({
        application_id: applicationId,
        ...defaultOrder,
        ...withoutUnset(search),
        page,
        per_page: buildsPerPage,
    }, { signal }),
});
/** A single build with its files and package metadata. */
export const buildQuery = (applicationId, buildId) => queryOptions({
    queryKey: ['applications', applicationId, 'builds', 'one', buildId],
    queryFn: async ({ signal }) => (await api.getBuild({ application_id: applicationId, build_id: buildId }, { signal })).data,
});
export const streamsQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'streams'],
    queryFn: async ({ signal }) => (await api.listStreams({ application_id: applicationId }, { signal })).data,
});
/** The labels of an application, including those of the workspace. */
export const labelsQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'labels'],
    queryFn: async ({ signal }) => (await api.listLabels({ application_id: applicationId }, { signal })).data,
});
export const platformsQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'platforms'],
    queryFn: async ({ signal }) => (await api.listPlatforms({ application_id: applicationId }, { signal })).data,
});
export const customTargetsQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'custom-targets'],
    queryFn: async ({ signal }) => (await api.listCustomTargets({ application_id: applicationId }, { signal })).data,
});
/** Returns the version with the build number, such as `2.14.0 (8123)`. */
export const versionText = ({ version, build_number: number, }) => (number === null ? version : `${version} (${number})`);
function withoutUnset(search) {
    return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
