import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants as fileConstants,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, constants, freemem, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromium } from '../packages/web/test/find-chromium.ts'
import { isInstalled } from './tools/tool-sets.ts'

// npm test                                   run all test files but those for CI
// CI=true npm test                           run all test files
// npm test -- uploads labels                 run the files whose path contains one of these words
// npm test -- --test-name-pattern=abort      pass options to `node --test`
// npm test -- --storage=s3 uploads           store the files of the services in S3 instead of a folder
const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const usesS3 = args.includes('--storage=s3')
const options = args.filter((argument) => argument.startsWith('--') && argument !== '--storage=s3')
const selection = args.filter((argument) => !argument.startsWith('--'))
const paths = selection.map((text) => relative(root, resolve(root, text)))
const isOnlyForCi = (file: string): boolean => /\.(ci|long)\.test\.ts$/.test(file)
const isCi = process.env['CI'] !== undefined && process.env['CI'] !== 'false'
const allFiles = globSync('{packages,bench,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules'],
}).toSorted()
const files = allFiles.filter((file) =>
  paths.length === 0 ? isCi || !isOnlyForCi(file) : paths.some((path) => file.includes(path)),
)
if (files.length === 0) {
  console.error(`No test file has ${selection.join(' or ')} in its path.`)
  process.exit(1)
}

/**
 * The files of a folder run in groups of at most `size`, each in one process, where they share a service or a browser:
 * loading the server takes longer than running most files. A file named `*.alone.test.ts` has a process of its own,
 * because it sends signals, measures or replaces timers. So has a file named `*.ci.test.ts`, which runs only in CI or if it
 * is selected: a storm, a fault of the surroundings, or a comparison with other programs. A file named `*.long.test.ts`
 * runs only then too, but in a group.
 */
const folders = [
  { folder: 'packages/web/test/', size: 9 },
  { folder: 'packages/server/test/acceptance/docs/', size: 3 },
  { folder: 'packages/server/test/acceptance/', size: 3 },
  { folder: 'packages/server/', size: 40, setup: 'packages/server/test/group-setup.ts' },
  // Loads the server before the first service starts.
  { folder: 'packages/cli/', size: 32, setup: 'packages/server/test/start-app.ts' },
  { folder: '', size: 100 },
]

/** The second one builds the release that executables.ci.test.ts uses too. */
const longestFiles = new Set([
  'scripts/debian/debian-package.ci.test.ts',
  'scripts/release/publish/publish-release.ci.test.ts',
])

const memoryFolder = '/dev/shm'
const memoryNeededBytes = 4 * 2 ** 30

for (const line of skippedParts()) console.log(`Not run here: ${line}`)

const runnerArgs = [
  '--conditions=@quayside/source',
  `--import=${pathToFileURL(join(import.meta.dirname, 'test-process.mjs')).href}`,
  '--test',
  '--test-global-setup=packages/server/test/global-setup.ts',
  // There are more processes than cores, because some tests mostly wait for timeouts or the disk.
  `--test-concurrency=${availableParallelism() + 2}`,
  // Applies to whole files and groups too, which take ten times as long on a busy machine.
  '--test-timeout=1800000',
  `--test-reporter=${pathToFileURL(join(import.meta.dirname, 'test-reporter.ts')).href}`,
  ...options,
  ...(files.length > 1 ? groupFiles(files) : files),
]
const temporaryFolder = createMemoryFolder()
const nodeFolder = createNodeFolder(temporaryFolder ?? tmpdir())
process.on('exit', () => {
  for (const folder of [nodeFolder, temporaryFolder]) {
    if (folder === undefined) continue
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A process that a failed test left behind may still be writing. The next run deletes the folder.
    }
  }
})
const runner = spawn(nodeFolder === undefined ? process.execPath : join(nodeFolder, 'node'), runnerArgs, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Most test files load the whole server. A shared compile cache saves a third of their startup time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
    // By default, npm waits five minutes for each response of a registry, three times.
    npm_config_fetch_timeout: '60000',
    npm_config_fetch_retries: '5',
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
 * Returns the files to run: those that run alone, and a module for each group that imports its files. The runner sorts
 * them by their paths, so the modules begin with a number, and each file that runs longest is a group too: started last,
 * it would run by itself for minutes.
 */
function groupFiles(all: readonly string[]): string[] {
  const groupsFolder = join(root, 'node_modules/.cache/test-groups')
  rmSync(groupsFolder, { recursive: true, force: true })
  mkdirSync(groupsFolder, { recursive: true })
  const [alone, together] = partition(all, (file) => /\.(alone|ci)\.test\.ts$/.test(file))
  const [longest, others] = partition(alone, (file) => longestFiles.has(file))
  let remaining = together
  const groups = folders.flatMap(({ folder, size, setup }) => {
    const [members, rest] = partition(remaining, (file) => file.startsWith(folder))
    remaining = rest
    return divide(members, size).map((group) => ({ folder, group, setup }))
  })
  const modules = [
    ...longest.map((file) => ({ folder: 'alone', group: [file], setup: undefined })),
    ...groups,
  ]
  const paths = modules.map(({ folder, group, setup }, index) => {
    const name = `${String(index).padStart(2, '0')}-${folder.replace(/\/$/, '').replaceAll('/', '-') || 'other'}`
    const path = join(groupsFolder, `${name}.test.mjs`)
    writeFileSync(path, importingModule(group, setup))
    return path
  })
  return [...paths, ...others]
}

function importingModule(members: readonly string[], setup: string | undefined): string {
  // The root test ends when all known tests have ended, so a file that awaits while loading would lose its tests.
  const lines = [
    `import { test } from 'node:test'`,
    `import { loadFile } from ${JSON.stringify(urlOf('scripts/file-suites.ts'))}`,
    `const loading = Promise.withResolvers()`,
    `test('loads the files of a group', () => loading.promise)`,
    ...(setup === undefined ? [] : [`await import(${JSON.stringify(urlOf(setup))})`]),
    ...members.map((file) => `await loadFile(${JSON.stringify(file)})`),
    `loading.resolve()`,
  ]
  return `${lines.join('\n')}\n`
}

function urlOf(file: string): string {
  return pathToFileURL(join(root, file)).href
}

function partition(all: readonly string[], isFirst: (file: string) => boolean): [string[], string[]] {
  return [all.filter(isFirst), all.filter((file) => !isFirst(file))]
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

/**
 * Copies Node to a new folder below `parent` if other users cannot execute it where it is, such as below /root. Tests that
 * root runs also start programs as other users. Returns undefined if no copy is necessary.
 */
function createNodeFolder(parent: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  let path = process.execPath
  while (path !== '/' && (statSync(path).mode & fileConstants.S_IXOTH) !== 0) path = dirname(path)
  if (path === '/') return undefined
  const folder = mkdtempSync(join(parent, 'quayside-node-'))
  chmodSync(folder, 0o755)
  copyFileSync(process.execPath, join(folder, 'node'))
  return folder
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

function isProgramInstalled(program: string): boolean {
  return spawnSync(program, ['-v']).error === undefined
}

/** Divides files into groups of about equal size. */
function divide(members: readonly string[], size: number): string[][] {
  const count = Math.ceil(members.length / size)
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
  const proxyTools = ['nginx', 'caddy', 'openssl'].filter((name) => !isProgramInstalled(name))
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
  if (!(['check', 'samples', 'updaters'] as const).every(isInstalled))
    yield 'tests that compile, read a large APK or run updaters; npm run install-tools installs what they need.'
  if (!isCi)
    yield `${allFiles.filter(isOnlyForCi).length} files with kills, storms, many cases or other programs (*.ci.test.ts and *.long.test.ts), and large variants; CI=true npm test runs them.`
}
