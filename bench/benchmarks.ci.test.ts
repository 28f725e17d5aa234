import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { findChromium } from '../packages/web/test/find-chromium.ts'
import { startService, type Service, type SharedService } from './service.ts'

// Starting a service takes more CPU time than most benchmarks with these options, so they share one.
const settings = {
  QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  QUAYSIDE_PART_SIZE_MB: '5',
  QUAYSIDE_PUBLIC_RATE_LIMIT: '0',
}
const programs = (...names: string[]) => {
  const missing = names.filter(
    (name) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`]).status !== 0,
  )
  return missing.length > 0 && `requires ${missing.join(' and ')}`
}
// The headless shell takes less CPU time than the whole browser, in which the benchmarks measure.
const browser = findChromium()
const chromium = browser === undefined && 'requires Chromium'
// The database has not counted 500 new builds before a job has run, which B1 and B2 would wait for.
const sizes = ['--few', '50', '--many', '100']

/** Files that are large enough for chunk indexes. */
const [script, document] = ['node_modules/playwright-core/lib/coreBundle.js', 'openapi.json'].map((path) =>
  join(import.meta.dirname, '..', path),
) as [string, string]

type Benchmark = { options: string[]; prints: RegExp[]; skip?: string | false; folder?: string }

/** The smallest options with which each benchmark runs, and what it then prints. */
const benchmarks: Record<string, Benchmark> = {
  'b1-list-builds': {
    options: [
      ...'--rounds 1 --seconds 0.1 --clients 2 --warmup 1 --builds 100'.split(' '),
      '--only',
      '^label',
    ],
    prints: [/label, by version +\d+ \/s {2}bare \d+/],
  },
  'b2-list-growth': {
    options: ['--rounds', '1', ...sizes, '--only', '(label|target|search) by version$'],
    prints: [/search, by version/, /deep page: median ratio/],
  },
  'b5-upload-cycle': {
    options: ['--rounds', '1', '--seconds', '0.1', '--warmup', '0.1', '--counted-cycles', '3'],
    prints: [
      /bare cycle: \d+ fsyncs, 3 transactions of \d+ statements/,
      /cycles, 1 client +\d+ \/s {2}bare \d+ \/s {2}ratio \d/,
      /cycles, 16 clients +\d+ \/s {2}bare \d+ \/s {2}ratio \d/,
    ],
  },
  'b3-put': {
    options: ['--rounds', '1', '--size-mb', '1'],
    prints: [/nginx WebDAV PUT, MiB\/s: \d/],
    skip: programs('nginx', 'curl'),
  },
  'b4-get': {
    options: ['--rounds', '1', '--size-mb', '1', '--clients', '2'],
    prints: [/in ranges, 2 clients, offloaded +\d/],
    skip: programs('nginx', 'curl'),
  },
  'b6-multipart': {
    options: ['--rounds', '1', '--size-mb', '10', '--part-mb', settings.QUAYSIDE_PART_SIZE_MB],
    prints: [/2 parts of 5 MiB, 4 at a time +\d/, /downloaded bytes: equal/],
    skip: programs('curl'),
  },
  'b7-webhooks': {
    options: ['--rounds', '1', '--warmup', '0.1', '--builds', '2', '--deliveries', '50'],
    prints: [/webhook requests +\d+ \/s {2}loop \d/],
  },
  'b8-start': {
    options: ['--rounds', '1', '--idle', '0', ...sizes],
    prints: [/100 builds: ready after \d+ ms/],
  },
  'b9-cli-transfer': {
    options: ['--rounds', '1', '--size-mb', '1'],
    prints: [/quayside upload of 1 MiB +\d/, /quayside download of 1 MiB +\d/],
    skip: programs('curl'),
  },
  'b10-console': {
    options:
      '--rounds 1 --builds 300 --applications 7 --members 20 --views 6 --navigations 1 --cpu-rate 1 --only ^(home|share-page)$'.split(
        ' ',
      ),
    prints: [/sort by size/, /largest paint, home/, /largest paint, all builds/, /heap after 1 navigations/],
    skip: chromium,
  },
  'b12-cli-start': {
    options: ['--rounds', '1'],
    prints: [/quayside builds list ÷ node -e 0: \d/],
    skip: programs('bash'),
  },
  'b13-nightly-folders': {
    options: ['--size-mb', '4', '--nights', '2'],
    prints: [
      /sent +\d.* ratio \d/,
      /sync from night 1 to 2: fetched +\d.* ratio \d/,
      /download --reuse: fetched +\d/,
    ],
    skip: programs('bash'),
  },
  'b14-feeds': {
    options: [
      // 12 and 35 builds: in the shared database, numbers that are equal modulo 7 would give builds the same IDs.
      ...'--rounds 1 --seconds 0.1 --clients 2 --warmup 0.1 --few 8 --many 23'.split(' '),
      ...'--installed 36000 --simulated-seconds 1'.split(' '),
    ],
    prints: [/latest version, unchanged, .* ratio \d/, /\d+ versions +\d+ \/s/, /36000 installed copies: \d/],
  },
  'b15-console-lists': {
    options: ['--rounds', '1', '--builds', '300', '--seconds', '1'],
    prints: [/audit log, frames per second +\d/],
    skip: chromium,
    // Filling a demo takes longer than this benchmark.
    folder: 'b10-console',
  },
  'b20-journeys': {
    options: ['--rounds', '1'],
    prints: [/Create an API key for CI +6 steps {2}mouse \d.* keyboard \d/],
    skip: chromium,
    folder: 'b10-console',
  },
  'b16-portal-visits': {
    options: '--visitors 600 --seconds 0.3 --releases 2 --builds 20 --warmup 1'.split(' '),
    prints: [/front page +\d.* statements/, /Atom feed +\d/],
  },
  'b17-permalinks': {
    options: '--rounds 1 --builds 200 --releases 5'.split(' '),
    prints: [/rare architecture +response +\d+ ms/, /portal: stream +response +\d+ ms/],
  },
  'b18-visitor-pages': {
    options: '--rounds 1 --cpu-rate 1 --only ^(share|portal)$'.split(' '),
    prints: [/largest paint, share +\d+ ms/, /largest paint, portal +\d+ ms/],
    skip: chromium || programs('openssl'),
  },
  'b19-real-pairs': {
    // Packages are downloaded only by hand.
    options: ['--old', script, '--new', document, '--patch-minutes', '0'],
    prints: [/upload: sent +\d/, /download --reuse, chunks +\d/],
    skip: programs('bash', 'cmp'),
  },
  'slow-clients': {
    options: ['--connections', '3', '--seconds', '0.1', '--settle', '1', '--only', 'never'],
    prints: [/never read +p95 /],
    skip: programs('curl'),
  },
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

const runs = (name: string, { options, prints, skip = false, folder: kept = name }: Benchmark) =>
  test(`${name} runs`, { skip }, async () => {
    const args = ['--conditions=@quayside/source', join(import.meta.dirname, `${name}.ts`), ...options]
    args.push('--folder', join(folder, kept), '--few-folder', join(folder, `${kept}-few`))
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: {
        ...process.env,
        ...(browser !== undefined && { QUAYSIDE_TEST_CHROMIUM: browser }),
        BENCH_SERVICE: JSON.stringify(shared),
        BENCH_RESULTS: join(folder, 'results'),
      },
      maxBuffer: 16 * 1024 * 1024,
    })
    for (const line of prints) assert.match(stdout, line)
  })

// The service computes chunk indexes once a minute.
const waiting = ['b13-nightly-folders', 'b19-real-pairs']
describe('benchmarks that wait for chunk indexes', { concurrency: true }, () => {
  for (const name of waiting) void runs(name, benchmarks[name] ?? assert.fail())
})
for (const [name, benchmark] of Object.entries(benchmarks))
  if (!waiting.includes(name)) void runs(name, benchmark)
