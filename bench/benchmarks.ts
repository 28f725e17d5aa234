import { spawnSync } from 'node:child_process'
import { findChromium } from '../packages/web/test/find-chromium.ts'

export type Benchmark = {
  /** The name of the program without its extension. */
  name: string
  /** The smallest options with which the benchmark runs. */
  short: string[]
  /** Programs without which the benchmark cannot run. */
  requires?: (keyof typeof installations)[]
  /** The name of the folder that it shares with other benchmarks; by default its own name. */
  folder?: string
  /** Whether it mostly waits for the service, which computes chunk indexes once a minute. */
  isWaiting?: true
}

const ceph = 'scripts/install-test-tools.sh, which installs Ceph'

/** How to install each program that a benchmark requires. */
const installations = {
  nginx: 'apt-get install -y nginx-light (it includes the WebDAV module)',
  curl: 'apt-get install -y curl',
  bash: 'apt-get install -y bash',
  cmp: 'apt-get install -y diffutils',
  openssl: 'apt-get install -y openssl',
  chromium: 'apt-get install -y chromium',
  radosgw: ceph,
  'ceph-osd': ceph,
} as const

// The database has not counted 500 new builds before a job has run, which B1 and B2 would wait for.
const sizes = ['--few', '50', '--many', '100']

export const partSizeMb = '5'

export const benchmarks: Benchmark[] = [
  {
    name: 'b1-list-builds',
    short: [
      ...'--rounds 1 --seconds 0.1 --clients 2 --warmup 1 --builds 100'.split(' '),
      '--only',
      '^label',
      '--without-peer',
    ],
  },
  {
    name: 'b2-list-growth',
    short: ['--rounds', '1', ...sizes, '--only', '(label|target|search) by version$'],
  },
  { name: 'b3-put', short: ['--rounds', '1', '--size-mb', '1'], requires: ['nginx', 'curl'] },
  {
    name: 'b4-get',
    short: ['--rounds', '1', '--size-mb', '1', '--clients', '2'],
    requires: ['nginx', 'curl'],
  },
  {
    name: 'b5-upload-cycle',
    short: ['--rounds', '1', '--seconds', '0.1', '--warmup', '0.1', '--counted-cycles', '3'],
  },
  {
    name: 'b6-multipart',
    short: ['--rounds', '1', '--size-mb', '10', '--part-mb', partSizeMb],
    requires: ['curl'],
  },
  {
    name: 'b7-webhooks',
    short: ['--rounds', '1', '--warmup', '0.1', '--builds', '2', '--deliveries', '50'],
  },
  { name: 'b8-start', short: ['--rounds', '1', '--idle', '0', ...sizes] },
  { name: 'b9-cli-transfer', short: ['--rounds', '1', '--size-mb', '1'], requires: ['curl'] },
  {
    name: 'b10-console',
    short: [
      ...'--rounds 1 --builds 800 --applications 7 --members 20 --views 6 --navigations 1'.split(' '),
      ...'--cpu-rate 1 --only ^(home|share-page)$'.split(' '),
    ],
    requires: ['chromium'],
  },
  {
    name: 'b11-uploads',
    short: '--rounds 1 --size-mb 2 --files 2 --file-mb 1 --small-count 20'.split(' '),
    requires: ['nginx', 'curl', 'radosgw', 'ceph-osd'],
  },
  { name: 'b12-cli-start', short: ['--rounds', '1'], requires: ['bash'] },
  {
    name: 'b13-nightly-folders',
    short: ['--size-mb', '4', '--nights', '2'],
    requires: ['bash'],
    isWaiting: true,
  },
  {
    name: 'b14-feeds',
    short: [
      // 12 and 35 builds: in a shared database, numbers that are equal modulo 7 would give builds the same IDs.
      ...'--rounds 1 --seconds 0.1 --clients 2 --warmup 0.1 --few 8 --many 23'.split(' '),
      ...'--installed 36000 --simulated-seconds 1'.split(' '),
    ],
  },
  {
    name: 'b15-console-lists',
    short: ['--rounds', '1', '--builds', '300', '--seconds', '1'],
    requires: ['chromium'],
    // Filling a demo takes longer than this benchmark.
    folder: 'b10-console',
  },
  {
    name: 'b16-portal-visits',
    short: '--visitors 600 --seconds 0.3 --releases 2 --builds 20 --warmup 1'.split(' '),
  },
  { name: 'b17-permalinks', short: '--rounds 1 --builds 200 --releases 5'.split(' ') },
  {
    name: 'b18-visitor-pages',
    short: '--rounds 1 --cpu-rate 1 --only ^(share|portal)$'.split(' '),
    requires: ['chromium', 'openssl'],
  },
  {
    name: 'b19-real-pairs',
    // Packages are downloaded only for whole runs. These files are large enough for chunk indexes.
    short: [
      ...'--old node_modules/playwright-core/lib/coreBundle.js --new openapi.json'.split(' '),
      ...'--patch-minutes 0'.split(' '),
    ],
    requires: ['bash', 'cmp'],
    isWaiting: true,
  },
  {
    name: 'b21-growth',
    short: [
      ...'--sizes 300 --applications 5 --workspaces 2 --partitioned 300 --nodes 2'.split(' '),
      ...'--rounds 1 --uploads 2 --idle 0.1 --seconds 0.2'.split(' '),
      '--only',
      '^(build|list: (none|label)|audit log)$',
    ],
  },
  { name: 'b20-journeys', short: ['--rounds', '1'], requires: ['chromium'], folder: 'b10-console' },
  {
    name: 'slow-clients',
    short: ['--connections', '3', '--seconds', '0.1', '--settle', '1', '--only', 'never'],
    requires: ['curl'],
  },
]

/** Returns the ID in reports and in the history, such as `B5`. */
export const idOf = ({ name }: Pick<Benchmark, 'name'>): string =>
  /^b\d+(?=-)/.exec(name)?.[0].toUpperCase() ?? name

/** Returns the arguments of a short run that keeps its data in `folder`. */
export const shortArguments = ({ name, short, folder = name }: Benchmark, parent: string): string[] => [
  ...short,
  '--folder',
  `${parent}/${folder}`,
  '--few-folder',
  `${parent}/${folder}-few`,
]

/** Returns which programs are missing and how to install them; undefined if none is missing. */
export function describeMissing({ requires = [] }: Pick<Benchmark, 'requires'>): string | undefined {
  const missing = requires.filter((program) => !isInstalled(program))
  if (missing.length === 0) return undefined
  const commands = new Set(missing.map((program) => installations[program]))
  return `requires ${missing.join(' and ')}: run ${[...commands].join(' and ')}`
}

const isInstalled = (program: string): boolean =>
  program === 'chromium'
    ? findChromium() !== undefined
    : spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0
