import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants as fileConstants,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, constants, freemem } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromium } from '../packages/web/test/find-chromium.ts'

// npm test                                   run all test files
// npm test -- uploads labels                 run the files whose path contains one of these words
// npm test -- --test-name-pattern=abort      pass options to `node --test`
// npm test -- --storage=s3 uploads           store the files of the services in S3 instead of a folder
const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const usesS3 = args.includes('--storage=s3')
const options = args.filter((argument) => argument.startsWith('--') && argument !== '--storage=s3')
const selection = args.filter((argument) => !argument.startsWith('--'))
const paths = selection.map((text) => relative(root, resolve(root, text)))
const files = globSync('{packages,bench,scripts}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
  .filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
  .toSorted()
if (files.length === 0) {
  console.error(`No test file has ${selection.join(' or ')} in its path.`)
  process.exit(1)
}

const smallFiles = [
  // slow-body.test.ts mocks the global timers, which services in the other files use.
  /^packages\/server\/src\/(features|http|lib|catalog|formats|events|inspection|sign-in)\/(?!slow-body)/,
  /^packages\/server\/src\/storage\/(attempts|byte-range|content-disposition|marked-objects|signed-url)\./,
  /^packages\/server\/src\/(jobs\/(batch|deletion|in)-|database\/(conflicts|statement|tables|transaction))/,
  /^packages\/server\/test\/(contract|inspection|wrong-states)\//,
  /^packages\/server\/test\/(declared-responses|descriptions|every-endpoint|hidden-details|jobs|names)\./,
  /^packages\/server\/test\/(no-op-updates|openapi-document|reference-examples|retention-of-rows)\./,
]
/**
 * CLI tests that neither start a server process nor build packages. They share a process only with each other.
 */
const smallCommandFiles = /^packages\/cli\/(?!test\/(mirror|packed|server-outage)\.)/
/** Tests that start their own services but neither send signals to the test process nor measure it. */
const ownServiceFiles = [
  /^packages\/server\/test\/nodes\/(?!nodes)/,
  /^packages\/server\/test\/(interrupted-purge|trusted-publishing-page|model\/at-once|upgrade\/)/,
  /^packages\/server\/src\/(first-owner|master-secret|storage\/local-(driver|get|put|reader|staging|tombstone))\./,
]
/** Short tests that start no service. Starting a process for each would take longer than the tests. */
const quickFiles = [
  /^packages\/(sdk|web\/(preview|src))\//,
  /^scripts\/(check-migrations|terminal-svg|layers\/)/,
  /^packages\/server\/src\/(admin\/|backup\/|import\/|config|data-folder|welcome|user-docs\/|jobs\/queue)/,
  /^packages\/server\/src\/database\/(collation-versions|connect|migrate)\./,
  /^packages\/server\/test\/deployment\/(?!s3-)/,
]
const filesPerGroup = 26
// The files of each group share one service, which `startService` starts.
const serviceGroups = [
  ['tenancy', 'scope-lattice', 'session-access', 'broken-requests'],
  ['bad-input', 'malformed'],
].map((names) => names.map((name) => `packages/server/test/${name}.test.ts`))
// The files of each group share one service, which `sharedService` starts.
const acceptanceGroups = [
  ['concurrency', 'after-verify', 'real-file', 'proxied-events'],
  // The memory test comes first, because it must measure a service that has done no other work.
  ['memory', 'interrupted-hashing', 'interrupted-inspection'],
  ['docs-commands', 'first-steps'],
].map((names) => names.map((name) => `packages/server/test/acceptance/${name}.test.ts`))

// The files of each group share one service with the console and one browser, which `sharedConsole` starts.
const browserGroups = [
  ['routes', 'first-load', 'journeys', 'hostile-text', 'hostile-files', 'first-day'],
  ['releases', 'streams', 'live', 'open-uploads', 'custom-storage'],
].map((names) => names.map((name) => `packages/web/test/${name}.test.ts`))

const memoryFolder = '/dev/shm'
const memoryNeededBytes = 4 * 2 ** 30

const isCi = process.env['CI'] !== undefined && process.env['CI'] !== 'false'
for (const line of skippedParts()) console.log(`Not run here: ${line}`)

const runnerArgs = [
  '--conditions=@quayside/source',
  `--import=${pathToFileURL(join(import.meta.dirname, 'untracked-promises.mjs')).href}`,
  '--test',
  '--test-global-setup=packages/server/test/global-setup.ts',
  // There are more processes than cores, because some tests mostly wait for timeouts or the disk.
  `--test-concurrency=${availableParallelism() + 2}`,
  '--test-timeout=600000',
  // A test file whose service could not be closed would otherwise keep the run from ending.
  '--test-force-exit',
  '--test-reporter=spec',
  ...options,
  ...(files.length > 1 ? groupSmallFiles(files) : files),
]
const temporaryFolder = createMemoryFolder()
process.on('exit', () => {
  if (temporaryFolder === undefined) return
  try {
    rmSync(temporaryFolder, { recursive: true, force: true })
  } catch {
    // A process that a failed test left behind may still be writing. The next run deletes the folder.
  }
})
const runner = spawn(process.execPath, runnerArgs, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Most test files load the whole server. A shared compile cache saves a third of their startup time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
    ...process.env,
    ...(temporaryFolder === undefined ? {} : { TMPDIR: temporaryFolder }),
    ...(isCi ? { QUAYSIDE_SLOW_TESTS: '1' } : {}),
    ...(usesS3 ? { QUAYSIDE_TEST_STORAGE: 's3' } : {}),
  },
})
// Ctrl-C in a terminal also reaches the runner, so it is ignored here. A supervisor sends SIGTERM only to this process,
// so it is forwarded.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => runner.kill('SIGTERM'))
runner.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
})

/**
 * Returns the files to run. Combines small files into modules that import several of them, because loading the server
 * takes longer than running most of these files. Acceptance tests that share a service are combined too. The other
 * files each run in a separate process, because they send signals, measure memory or run for a long time.
 */
function groupSmallFiles(all: readonly string[]): string[] {
  const isCommand = (file: string) => smallCommandFiles.test(file)
  const hasOwnService = (file: string) => ownServiceFiles.some((pattern) => pattern.test(file))
  const isQuick = (file: string) => quickFiles.some((pattern) => pattern.test(file))
  const isInSmallGroup = (file: string) => smallFiles.some((pattern) => pattern.test(file))
  const isSmall = (file: string) =>
    isCommand(file) || hasOwnService(file) || isQuick(file) || isInSmallGroup(file)
  const small = all.filter(isSmall)
  const folder = join(root, 'node_modules/.cache/test-groups')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const writeGroup = (name: string, members: readonly string[]) => {
    const path = join(folder, `${name}.test.mjs`)
    // The root test ends when all known tests have ended, so a file that awaits while loading would lose its tests.
    const lines = [
      `import { test } from 'node:test'`,
      `const loading = Promise.withResolvers()`,
      `test('loads the files of a group', () => loading.promise)`,
      ...members.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)).href)})`),
      `loading.resolve()`,
    ]
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  }
  const groupSetup = 'packages/server/test/group-setup.ts'
  const groups = [
    ...divide(small.filter(isInSmallGroup)).map((members) => [groupSetup, ...members]),
    ...divide(small.filter(isCommand)),
    ...divide(small.filter(hasOwnService)),
    ...divide(small.filter(isQuick)),
  ].map((members, index) => writeGroup(`group-${index + 1}`, members))
  const selected = (named: readonly string[][]) =>
    named.map((names) => names.filter((name) => all.includes(name))).filter((names) => names.length > 0)
  const sharing = [
    ...selected(acceptanceGroups).map((names, index) => writeGroup(`acceptance-${index + 1}`, names)),
    ...selected(browserGroups).map((names, index) => writeGroup(`browser-${index + 1}`, names)),
    ...selected(serviceGroups).map((names, index) =>
      writeGroup(`service-${index + 1}`, [groupSetup, ...names]),
    ),
  ]
  const isGrouped = (file: string) =>
    isSmall(file) || [...acceptanceGroups, ...browserGroups, ...serviceGroups].flat().includes(file)
  const large = all.filter((file) => !isGrouped(file))
  // The files that run longest are in the test folders. Starting them first, and short files last, keeps all cores busy
  // until the end.
  const isLong = (file: string) => file.includes('/test/')
  return [...sharing, ...groups, ...large.filter(isLong), ...large.filter((file) => !isLong(file))]
}

/**
 * Creates a folder in memory for the temporary files of the tests, most of which are databases. On a disk, creating a
 * database takes twice the CPU time. Returns undefined if there is too little memory or programs cannot run there.
 */
function createMemoryFolder(): string | undefined {
  try {
    removeAbandonedFolders()
    const { bavail, bsize } = statfsSync(memoryFolder)
    if (Math.min(bavail * bsize, freemem()) < memoryNeededBytes) return undefined
    const folder = join(memoryFolder, `quayside-tmp-${process.pid}`)
    mkdirSync(folder)
    // Tests also run programs as other users. As in /tmp, users cannot delete each other's files.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'program')
    writeFileSync(program, '', { mode: 0o755 })
    // Containers mount the folder with noexec, which prevents even root from running programs there.
    accessSync(program, fileConstants.X_OK)
    rmSync(program)
    return folder
  } catch {
    return undefined
  }
}

/** Deletes the folders of test runs that were killed. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(memoryFolder)) {
    const owner = /^quayside-tmp-(\d+)$/.exec(name)?.[1]
    if (owner === undefined) continue
    try {
      process.kill(Number(owner), 0)
    } catch {
      rmSync(join(memoryFolder, name), { recursive: true, force: true })
    }
  }
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['-v']).error === undefined
}

/** Divides files into groups of about equal size. */
function divide(members: readonly string[]): string[][] {
  const count = Math.ceil(members.length / filesPerGroup)
  return Array.from({ length: count }, (_, group) =>
    members.filter((_file, index) => index % count === group),
  )
}

/** Yields the tests that this run skips. Skipped tests also report the reason themselves. */
function* skippedParts(): Generator<string> {
  if (process.platform !== 'linux')
    yield 'crash, memory, unprivileged-start and reverse proxy tests, which require /proc and Linux user accounts.'
  else if (process.getuid?.() !== 0)
    yield 'tests that need root (an installation on a VM, PostgreSQL and reverse proxies under their own accounts, a home folder with mode 0700).'
  const proxyTools = ['nginx', 'caddy', 'openssl'].filter((name) => !isInstalled(name))
  if (proxyTools.length > 0)
    yield `the reverse proxy tests, which require ${proxyTools.join(', ')}; scripts/install-test-tools.sh installs them.`
  const packageTools =
    'aapt2 apksigner exiftool mksquashfs msiinfo osslsigncode plistutil rpmbuild wixl'.split(' ')
  const missingTools = packageTools.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missingTools.length > 0)
    yield `tests that compare package metadata with ${missingTools.join(', ')}; scripts/install-test-tools.sh installs them.`
  const cephPrograms = ['ceph-mon', 'ceph-osd', 'radosgw']
  if (cephPrograms.some((name) => spawnSync('which', [name]).status !== 0))
    yield 'the tests of S3, which require Ceph; scripts/install-test-tools.sh installs it.'
  if (findChromium() === undefined)
    yield 'the browser tests, which require Chromium; scripts/install-test-tools.sh installs it.'
  if (spawnSync('ruby', ['--version']).status !== 0)
    yield 'the syntax check of the fastlane action, which requires Ruby.'
  if (!isCi) yield 'the slowest variants; CI=true npm test runs them.'
}
