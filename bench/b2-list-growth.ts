import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillBuilds } from './builds-data.ts'
import { openDatabase } from './database.ts'
import { reportGrowth, type GrowthLine } from './growth-report.ts'
import { median, option, textOption } from './report.ts'
import { startService } from './service.ts'

// B2 compares the response times of the sorted and filtered build list with a million and with a thousand builds.
const rounds = option('rounds', 15)
const few = option('few', 1_000)
const many = option('many', 1_000_000)
const folder = textOption('folder', join(tmpdir(), 'quayside-bench-builds'))
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

const lines: GrowthLine[] = []
for (const [filter, text] of Object.entries(filters)) {
  for (const sort of sorts) {
    if (!new RegExp(pattern).test(`${filter} by ${sort}`)) continue
    const query = `${text}&sort_by=${sort}&sort=desc`
    const cold = { first: await measure('many', query, 1), deep: { total: 0, milliseconds: 0 } }
    const totals = { few: (await measure('few', query, 1)).total, many: cold.first.total }
    const deepPage = (total: number) => Math.min(deepestPage, Math.max(1, Math.floor(total / perPage)))
    cold.deep = await measure('many', query, deepPage(totals.many))
    const times: Record<'few' | 'many' | 'fewDeep' | 'manyDeep', number[]> = {
      few: [],
      many: [],
      fewDeep: [],
      manyDeep: [],
    }
    for (let round = 0; round < rounds; round++) {
      times.few.push((await measure('few', query, 1)).milliseconds)
      times.many.push((await measure('many', query, 1)).milliseconds)
      times.fewDeep.push((await measure('few', query, deepPage(totals.few))).milliseconds)
      times.manyDeep.push((await measure('many', query, deepPage(totals.many))).milliseconds)
    }
    lines.push({
      filter,
      sort,
      totals,
      deepPage: deepPage(totals.many),
      first: { few: median(times.few), many: median(times.many), cold: cold.first.milliseconds },
      deep: { few: median(times.fewDeep), many: median(times.manyDeep), cold: cold.deep.milliseconds },
    })
  }
}
await reportGrowth('B2', lines, { rounds, few, many })
agent.destroy()
await database.close()
await service.stop()
