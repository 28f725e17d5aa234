import { Agent, get } from 'node:http'
import { fillBuilds } from './builds-data.ts'
import { openDatabase } from './database.ts'
import { reportGrowth, type GrowthLine } from './growth-report.ts'
import { folderOption, median, option, textOption } from './report.ts'
import { startService } from './service.ts'

// B2 compares the response times of the sorted and filtered build list with a million and with a thousand builds.
const rounds = option('rounds', 15)
const few = option('few', 1_000)
const many = option('many', 1_000_000)
const folder = folderOption('builds')
const pattern = textOption('only', '')
const perPage = 15
const deepestPage = 10_000

const sorts = ['created_at', 'built_at', 'version', 'version_short', 'size_total_bytes']
const filters: Record<string, string> = {
  none: '',
  stream: 'streams=nightlies',
  'two streams': 'streams=default,stable',
  platform: 'platforms=android',
  'rarer platform': 'platforms=linux',
  target: 'custom_targets=Tablet',
  source: 'sources=jenkins',
  branch: 'branches=main',
  'rare branch': 'branches=feature/1-1',
  label: 'labels=signed',
  'rare label': 'labels=blocked',
  'two labels': 'labels=qa-passed,demo',
  search: 'search=feature%2F1-1',
  'created after': 'created_after=2026-10-01T12:34:56Z',
  'created before': 'created_before=2026-11-01T12:34:56Z',
  'stream, platform': 'streams=nightlies&platforms=android',
  'stream, target': 'streams=stable&custom_targets=Kiosk',
  'source, branch': 'sources=jenkins&branches=main',
  'label, platform': 'labels=signed&platforms=ios',
  'label, branch': 'labels=signed&branches=main',
  'created after, platform': 'created_after=2026-10-01T12:34:56Z&platforms=ios',
  'created before, platform': 'created_before=2026-11-01T12:34:56Z&platforms=ios',
  'label, created after': 'labels=signed&created_after=2026-10-01T12:34:56Z',
  'rare facets': 'platforms=macos&streams=stable&sources=web-upload',
  'rare label, platform, branch': 'labels=blocked&platforms=macos&branches=release/1.2',
  'label, platform, branch, processing': 'labels=hotfix&platforms=linux&branches=develop&processing=queued',
  'two labels, platform': 'labels=hotfix,blocked&platforms=macos',
  'two labels, branch': 'labels=qa-passed,demo&branches=main',
  architecture: 'architectures=arm64v8',
  'unused architecture': 'architectures=risc-v64',
  'architecture, platform': 'architectures=arm64v8&platforms=linux',
  processing: 'processing=none',
  'not kept, branch': 'kept=false&branches=main',
  trash: 'trashed=true',
}
/** Lists that are measured only with the newest builds first, because their order makes no difference. */
const newestFirst: Record<string, string> = {
  'one character': 'search=f',
  'two characters': 'search=ma',
  'two digits': 'search=12',
  'common text': 'search=main',
  'common text, platform': 'search=main&platforms=linux',
  'text without matches': 'search=zzqqy',
  'label name': 'search=blocked',
  'groups by version': 'group_by=version',
  'groups by run': 'group_by=run',
  'groups by branch': 'group_by=branch',
  'groups by version, platform': 'group_by=version&platforms=ios',
  'groups by version, rare branch': 'group_by=version&branches=feature/1-1',
}

const service = await startService({}, folder)
const database = openDatabase(service)
const applications = {
  few: await fillBuilds(service, database, few),
  many: await fillBuilds(service, database, many),
}
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

type Size = keyof typeof applications
type Result = { total: number; milliseconds: number }

/** Requests a page of builds on the shared connection and measures the response time. */
function measure(size: Size, query: string, page: number): Promise<Result> {
  const path = `/api/v1/applications/${applications[size]}/builds?per_page=${perPage}&page=${page}&${query}`
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.key}` }
    const request = get({ port: service.port, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const milliseconds = performance.now() - start
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode !== 200) return reject(new Error(`${path}: ${text}`))
        const { pagination } = JSON.parse(text) as { pagination: { total: number } }
        resolve({ total: pagination.total, milliseconds })
      })
    })
    request.on('error', reject)
  })
}

const orders = sorts.flatMap((sort) => [
  { name: sort, query: `sort_by=${sort}&sort=desc` },
  { name: `${sort} ascending`, query: `sort_by=${sort}&sort=asc` },
])
const lists = [
  ...Object.entries(filters).flatMap(([filter, text]) => orders.map((order) => ({ filter, text, order }))),
  ...Object.entries(newestFirst).flatMap(([filter, text]) =>
    orders.slice(0, 1).map((order) => ({ filter, text, order })),
  ),
]
const lastPage = (total: number) => Math.max(1, Math.ceil(total / perPage))
const pages = {
  first: () => 1,
  deep: (total: number) => Math.min(deepestPage, lastPage(total)),
  middle: (total: number) => Math.ceil(lastPage(total) / 2),
  last: lastPage,
}

const lines: GrowthLine[] = []
for (const { filter, text, order } of lists) {
  if (!new RegExp(pattern).test(`${filter} by ${order.name}`)) continue
  const query = `${text}&${order.query}`
  const cold = await measure('many', query, 1)
  const totals = { few: (await measure('few', query, 1)).total, many: cold.total }
  const times = {} as GrowthLine['times']
  for (const [name, pageOf] of Object.entries(pages) as [keyof typeof pages, (total: number) => number][]) {
    const page = { few: pageOf(totals.few), many: pageOf(totals.many) }
    const first = name === 'first' ? cold : await measure('many', query, page.many)
    const measured: Record<Size, number[]> = { few: [], many: [] }
    for (let round = 0; round < rounds; round++)
      for (const size of ['few', 'many'] as const)
        measured[size].push((await measure(size, query, page[size])).milliseconds)
    times[name] = {
      page: page.many,
      few: median(measured.few),
      many: median(measured.many),
      cold: first.milliseconds,
    }
  }
  lines.push({ filter, order: order.name, totals, times })
}
await reportGrowth('B2', lines, { rounds, few, many })
agent.destroy()
await database.close()
await service.stop()
