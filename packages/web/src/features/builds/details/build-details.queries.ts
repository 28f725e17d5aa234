import type { Download, FullBuild, ListedBuild } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'

/** The build in the trash with this ID, or null. */
export const trashedBuildQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'trashed', buildId),
    queryFn: async ({ signal }) => {
      const { data } = await api.listBuilds(
        { application_id: applicationId, search: buildId, trashed: true, per_page: 100 },
        { signal },
      )
      return data.find(({ id }) => id === buildId) ?? null
    },
  })

const maxCandidates = 20

/**
 * The build before this one on the same platform, in the same stream if there is one, or null. Files of the same version,
 * such as an installer and an archive, are not earlier builds of each other. Builds for the same custom target and with a
 * readable package come first.
 */
export const previousBuildQuery = (build: FullBuild) =>
  queryOptions({
    queryKey: applicationKey(build.application_id, 'builds', 'previous', build.id, build.stream.id),
    queryFn: async ({ signal }): Promise<ListedBuild | null> =>
      (await findEarlier(build, { streams: build.stream.id }, signal)) ??
      (await findEarlier(build, {}, signal)),
  })

async function findEarlier(
  build: FullBuild,
  filter: { streams?: string },
  signal: AbortSignal,
): Promise<ListedBuild | null> {
  const { data } = await api.listBuilds(
    {
      application_id: build.application_id,
      platforms: build.platform.identifier,
      ...filter,
      created_before: build.created_at,
      sort_by: 'created_at',
      sort: 'desc',
      per_page: maxCandidates,
    },
    { signal },
  )
  const earlier = data.filter(
    ({ version, build_number: number }) => version !== build.version || number !== build.build_number,
  )
  const rank = ({ custom_target: target, processing_error: error }: ListedBuild) =>
    (target?.id === build.custom_target?.id ? 0 : 1) + (error === null ? 0 : 2)
  return earlier.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

/** Builds to compare with, found by what is typed. */
export const buildSearchQuery = (applicationId: string, search: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'search', search),
    queryFn: async ({ signal }) => {
      const { data } = await api.listBuilds(
        {
          application_id: applicationId,
          sort_by: 'created_at',
          sort: 'desc',
          per_page: 20,
          ...(search === '' ? {} : { search }),
        },
        { signal },
      )
      return data
    },
  })

const downloadsPerPage = 100
const maxDownloadPages = 10

/** The most recent downloads of a build, newest first, with the number of all downloads. */
export const buildDownloadsQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'downloads', buildId, 'recent'),
    queryFn: async ({ signal }) => {
      const downloads: Download[] = []
      for (let page = 1; ; page++) {
        const { data, pagination } = await api.listBuildDownloads(
          {
            application_id: applicationId,
            build_id: buildId,
            sort: 'desc',
            per_page: downloadsPerPage,
            page,
          },
          { signal },
        )
        downloads.push(...data)
        if (page >= Math.min(pagination.last_page, maxDownloadPages))
          return { downloads, total: pagination.total }
      }
    },
  })

/** The number of downloads of a build. */
export const downloadCountQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'downloads', buildId, 'count'),
    queryFn: async ({ signal }) => {
      const { pagination } = await api.listBuildDownloads(
        { application_id: applicationId, build_id: buildId, per_page: 1 },
        { signal },
      )
      return pagination.total
    },
  })

/** The recorded changes of a build, newest first. */
export const buildActivityQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'activity', buildId),
    queryFn: async ({ signal }) => {
      const { data } = await api.listAuditLog(
        {
          application: applicationId,
          subject_type: 'build',
          subject_id: buildId,
          sort: 'desc',
          per_page: 100,
        },
        { signal },
      )
      return data
    },
  })
