import { Agent, get } from 'node:http'
import { listFilters, newestFirst, sorts } from './build-lists.ts'
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
  ...Object.entries(listFilters).flatMap(([filter, text]) =>
    orders.map((order) => ({ filter, text, order })),
  ),
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
