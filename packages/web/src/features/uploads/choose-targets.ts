import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { isAllowed, sessionQuery } from '../../api/session.ts'
import type { UploadTarget } from '../../upload/upload.ts'
import { applicationsQuery } from '../applications/application.queries.ts'
import { chosenApplications } from './chosen-applications.ts'
import { loadUploadTarget } from './upload-target.ts'

/** More applications would take more requests than a person waits for. */
const maxApplications = 50
/** The newest builds of an application that are read, because it can have packages for several platforms. */
const buildsRead = 4

/**
 * Returns the application of each file, by the package names of earlier builds. A file without one goes to `target`, unless
 * the files are for several applications; it is then undefined, and the person chooses.
 */
export async function chooseTargets(
  queryClient: QueryClient,
  target: UploadTarget,
  packageNames: readonly (string | null)[],
): Promise<(UploadTarget | undefined)[]> {
  const toTarget = packageNames.map(() => target)
  if (packageNames.every((name) => name === null)) return toTarget
  const applicationIds = await listUploadApplications(queryClient, target.applicationId)
  if (applicationIds.length < 2) return toTarget
  const known = await Promise.all(applicationIds.map((id) => loadPackageNames(queryClient, id)))
  const matches = packageNames.map((name) =>
    name === null ? undefined : applicationIds.find((_, index) => known[index]?.includes(name) === true),
  )
  return Promise.all(
    chosenApplications(packageNames, matches, target.applicationId).map(async (id) => {
      if (id === undefined) return undefined
      return id === target.applicationId ? target : loadUploadTarget(queryClient, id)
    }),
  )
}

/** Returns the IDs of the applications to which the person may upload, with the target first. */
async function listUploadApplications(queryClient: QueryClient, targetId: string): Promise<string[]> {
  const [session, applications] = await Promise.all([
    queryClient.query({ ...sessionQuery, staleTime: 60_000 }),
    queryClient.query({ ...applicationsQuery, staleTime: 60_000 }),
  ])
  const ids = applications
    .map(({ id }) => id)
    .filter((id) => id !== session.sample_application_id && isAllowed(session, 'builds:create', id))
  return [targetId, ...ids.filter((id) => id !== targetId)].slice(0, maxApplications)
}

const loadPackageNames = (queryClient: QueryClient, applicationId: string): Promise<string[]> =>
  queryClient.query({
    queryKey: applicationKey(applicationId, 'builds', 'packages'),
    queryFn: ({ signal }) => findPackageNames(applicationId, signal),
    staleTime: 60_000,
  })

async function findPackageNames(application_id: string, signal: AbortSignal): Promise<string[]> {
  const { data: builds } = await api.listBuilds(
    { application_id, sort_by: 'created_at', sort: 'desc', processing: 'done', per_page: 20 },
    { signal },
  )
  // One build of each platform, the newest ones first.
  const newest = [...Map.groupBy(builds, ({ platform }) => platform.identifier).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, buildsRead)
  const details = await Promise.all(
    newest.map(({ id }) => api.getBuild({ application_id, build_id: id }, { signal })),
  )
  return details
    .flatMap(({ data }) => [data.android_info?.package_name, data.ios_info?.bundle_id])
    .filter((name) => typeof name === 'string')
}
