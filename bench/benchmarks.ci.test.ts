import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { findChromium } from '../packages/web/test/find-chromium.ts'
import {
  type Benchmark,
  benchmarks,
  describeMissing,
  idOf,
  partSizeMb,
  shortArguments,
} from './benchmarks.ts'
import type { Figure } from './report.ts'
import { startService, type Service, type SharedService } from './service.ts'

// Starting a service takes more CPU time than most benchmarks with these options, so they share one.
const settings = {
  QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  QUAYSIDE_PART_SIZE_MB: partSizeMb,
  QUAYSIDE_PUBLIC_RATE_LIMIT: '0',
}
// The headless shell takes less CPU time than the whole browser, in which the benchmarks measure.
const browser = findChromium()

/** What each benchmark prints when it has run. */
const prints: Record<string, RegExp[]> = {
  'b1-list-builds': [/label, by version +\d+ \/s {2}bare \d+/],
  'b2-list-growth': [/search, by version/, /deep page: median ratio/],
  'b5-upload-cycle': [
    /bare cycle: \d+ fsyncs, 3 transactions of \d+ statements/,
    /cycles, 1 client +\d+ \/s {2}bare \d+ \/s {2}ratio \d/,
    /cycles, 16 clients +\d+ \/s {2}bare \d+ \/s {2}ratio \d/,
  ],
  'b3-put': [/nginx WebDAV PUT, MiB\/s: \d/],
  'b4-get': [/in ranges, 2 clients, offloaded +\d/],
  'b6-multipart': [/2 parts of 5 MiB, 4 at a time +\d/, /downloaded bytes: equal/],
  'b7-webhooks': [/webhook requests +\d+ \/s {2}loop \d/],
  'b8-start': [/100 builds: listening after \d+ ms, ready after \d+ ms/],
  'b9-cli-transfer': [/quayside upload of 1 MiB +\d/, /quayside download of 1 MiB +\d/],
  'b10-console': [
    /sort by size/,
    /largest paint, home/,
    /largest paint, all builds/,
    /heap after 1 navigations, % +\d/,
  ],
  'b11-uploads': [
    /1 file of 2 MiB +\d.* tus/,
    /2 files of 1 MiB +\d.* nginx/,
    /1 KiB, 16 clients +\d.* radosgw/,
  ],
  'b12-cli-start': [/quayside builds list ÷ node -e 0: \d/],
  'b13-nightly-folders': [
    /sent +\d.* ratio \d/,
    /sync from night 1 to 2: fetched +\d.* ratio \d/,
    /download --reuse: fetched +\d/,
  ],
  'b14-feeds': [
    /latest version, unchanged, .* ratio \d/,
    /\d+ versions +\d+ \/s/,
    /36000 installed copies: \d/,
  ],
  'b15-console-lists': [/audit log, frames per second +\d/],
  'b20-journeys': [/Create an API key for CI +6 steps {2}mouse \d.* keyboard \d/],
  'b16-portal-visits': [/front page +\d.* statements/, /Atom feed +\d/],
  'b17-permalinks': [/rare architecture +response +\d+ ms/, /portal: stream +response +\d+ ms/],
  'b18-visitor-pages': [/largest paint, share +\d+ ms/, /largest paint, portal +\d+ ms/],
  'b19-real-pairs': [/upload: sent +\d/, /download --reuse, chunks +\d/],
  'b21-growth': [
    /300 builds: database \d+ MB, \d+ bytes per build/,
    /steady: list: label +\d.* ms; \d+ blocks/,
    /16 partitions by application, 300 builds/,
    /2 nodes: list \d.*\/s.* upload \d/,
  ],
  'slow-clients': [/never read +p95 /],
}

let folder: string
let service: Service
let shared: SharedService

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-benchmarks-'))
  service = await startService(settings)
  shared = { folder: service.folder, port: service.port, pid: service.pid, settings }
})
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const runs = (benchmark: Benchmark) =>
  test(`${benchmark.name} runs`, { skip: describeMissing(benchmark) ?? false }, async () => {
    const program = join(import.meta.dirname, `${benchmark.name}.ts`)
    const args = ['--conditions=@quayside/source', program, ...shortArguments(benchmark, folder)]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: join(import.meta.dirname, '..'),
      env: {
        ...process.env,
        ...(browser !== undefined && { QUAYSIDE_TEST_CHROMIUM: browser }),
        BENCH_SERVICE: JSON.stringify(shared),
        BENCH_RESULTS: join(folder, 'results'),
      },
      maxBuffer: 16 * 1024 * 1024,
    })
    for (const line of prints[benchmark.name] ?? assert.fail('add what the benchmark prints'))
      assert.match(stdout, line)
    const saved = await readFile(join(folder, 'results', `${idOf(benchmark).toLowerCase()}.json`), 'utf8')
    const { figures } = JSON.parse(saved) as { figures: Figure[] }
    assert.ok(figures.length > 0)
    for (const { name, value } of figures) assert.ok(Number.isFinite(value), name)
  })

describe('benchmarks that wait for chunk indexes', { concurrency: true }, () => {
  for (const benchmark of benchmarks) if (benchmark.isWaiting === true) void runs(benchmark)
})
for (const benchmark of benchmarks) if (benchmark.isWaiting !== true) void runs(benchmark)
