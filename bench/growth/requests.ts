import { listFilters, newestFirst, sorts } from '../build-lists.ts'
import type { Service } from '../service.ts'
import type { Installation } from './installation.ts'

export type Where = 'largest' | 'steady' | 'workspace'
export type MeasuredRequest = { name: string; where: Where; path: string; hasKey: boolean; status: number }

type Item = { id: string }
type Page = { data: Item[]; pagination: { total: number } }

const perPage = 15

/** Returns the requests whose times and plans are compared: those of both applications, and those of their workspace. */
export async function requestsOf(service: Service, installation: Installation): Promise<MeasuredRequest[]> {
  const { largest, steady } = installation
  return [
    ...(await requestsOfApplication(service, 'largest', largest)),
    ...(await requestsOfApplication(service, 'steady', steady)),
    ...requestsOfWorkspace(steady),
    { name: 'metrics', where: 'workspace', path: '/metrics', hasKey: true, status: 200 },
  ]
}

async function requestsOfApplication(service: Service, where: Where, id: string): Promise<MeasuredRequest[]> {
  const application = `/applications/${id}`
  const list = (query: string) => `${application}/builds?per_page=${perPage}&${query}`
  const [first, deep] = await Promise.all([firstPage(service, list('')), middleOf(service, list)])
  const build = `${application}/builds/${first}`
  const paths: Record<string, string> = {
    application,
    build,
    'download links of a build': `${build}/download`,
    'share links of a build': `${build}/share-links`,
    streams: `${application}/streams`,
    'preview of retention': `${application}/streams/nightlies/retention-preview?per_page=15&retention_days=30`,
    statistics: `${application}/statistics?days=30`,
    'statistics of builds': `${application}/statistics/builds?days=30`,
    changes: `${application}/changes?limit=100`,
    releases: `${application}/releases`,
    'badge of the latest build': `${application}/permalinks/streams/nightlies/android/badge/svg`,
    'middle page': deep.none,
    'middle page, label': deep.label,
  }
  for (const [name, filter] of Object.entries({ ...listFilters, ...newestFirst }))
    paths[`list: ${name}`] = list(`${filter}&sort_by=created_at&sort=desc`)
  for (const sort of sorts) paths[`list by ${sort}`] = list(`sort_by=${sort}&sort=asc`)
  const channel = await channelOf(service, application)
  return [
    ...Object.entries(paths).map(([name, path]) => ofApi(where, name, path)),
    {
      ...ofApi(where, 'latest build', `${application}/permalinks/streams/nightlies/android`),
      status: 302,
    },
    ...['latest', 'versions'].map((name) => ({
      name: `update feed: ${name}`,
      where,
      path: `/u/${channel}/json/${name}.json`,
      hasKey: false,
      status: 200,
    })),
  ]
}

const requestsOfWorkspace = (applicationId: string): MeasuredRequest[] =>
  Object.entries({
    workspace: '/workspace',
    'needs attention': '/workspace/attention',
    'statistics of the workspace': '/workspace/statistics?days=30',
    applications: '/applications?per_page=50',
    'search for applications': '/applications?search=lication+1',
    'unfinished uploads': `/upload?application_id=${applicationId}`,
    'audit log': '/workspace/audit-log',
    'audit log of an application': `/workspace/audit-log?application=${applicationId}`,
    'audit log of builds': '/workspace/audit-log?subject_type=build',
    'audit log of an action': '/workspace/audit-log?action=build.deleted',
    'audit log of a period': '/workspace/audit-log?created_before=2026-06-01T00:00:00Z',
  }).map(([name, path]) => ofApi('workspace', name, path))

const ofApi = (where: Where, name: string, path: string): MeasuredRequest => ({
  name,
  where,
  path: `/api/v1${path}`,
  hasKey: true,
  status: 200,
})

async function firstPage(service: Service, path: string): Promise<string> {
  const { data } = await service.api<Page>('GET', path)
  return data[0]?.id ?? ''
}

/** Returns the path of the page in the middle of a list, which is the slowest one. */
async function middleOf(service: Service, list: (query: string) => string) {
  const path = async (query: string) => {
    const { pagination } = await service.api<Page>('GET', list(query))
    return list(`${query}&page=${Math.max(1, Math.ceil(pagination.total / perPage / 2))}`)
  }
  return { none: await path(''), label: await path(listFilters['label'] ?? '') }
}

async function channelOf(service: Service, application: string): Promise<string> {
  const path = `${application}/channels`
  const { data } = await service.api<{ data: Item[] }>('GET', path)
  if (data[0] !== undefined) return data[0].id
  const body = { name: 'Nightly', stream: 'nightlies', formats: ['json'] }
  return (await service.api<{ data: Item }>('POST', path, body)).data.id
}
