#!/usr/bin/env -S node --max-semi-space-size=4 --max-old-space-size=1024
// With a heap limit of 1 GB, V8 lets the heap grow by at most 60% between full collections; by default, up to fourfold.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

const help = `Usage: quayside-server [options]
       quayside-server storage <command>
       quayside-server admin <command>
       quayside-server doctor

Start the Quayside server. It runs until it receives SIGINT or SIGTERM.

Commands:
  storage        check and repair the storage folder; see quayside-server storage --help
  admin          check, back up, restore or move the data; see quayside-server admin --help
  doctor         check the settings, the public URL, the database, storage and mail

Options:
  -V, --version  print the version
  -h, --help     show help

Environment variables:
  QUAYSIDE_HOST           address to listen on (default: 127.0.0.1)
  QUAYSIDE_PORT           port to listen on (default: 4400)
  QUAYSIDE_PUBLIC_URL     URL that clients use (default: http://localhost:<port>)
  QUAYSIDE_DATA_DIR       folder for files, keys and the embedded database (default: ./data)
  DATABASE_URL            PostgreSQL database to use instead of the embedded one
  QUAYSIDE_BOOTSTRAP_KEY  API key with every workspace scope, at least 32 characters

The server describes all settings at /docs/operating.

Exit codes:
  0   stopped by a signal
  1   failure
  2   usage error
  78  invalid setting

Example:
  $ QUAYSIDE_PORT=8080 QUAYSIDE_DATA_DIR=/srv/quayside quayside-server
`

// The published package contains only the bundle, because Node does not run TypeScript below node_modules.
const hasSource = existsSync(new URL('../src/main.ts', import.meta.url))

// `npm start` and the build of the package write the bundle. In the repository, the source runs if it has changed since.
const programs = {
  main: {
    bundled: () => import('../bundle/main.mjs'),
    source: () => import('../src/main.ts'),
  },
  storage: {
    bundled: () => import('../bundle/storage.mjs'),
    source: () => import('../src/operations/storage-command.ts'),
  },
  admin: {
    bundled: () => import('../bundle/admin.mjs'),
    source: () => import('../src/operations/admin-command.ts'),
  },
}

async function run({ bundled, source }) {
  if (!hasSource || isBundleCurrent()) await bundled()
  else {
    module.registerHooks({
      resolve: (specifier, context, nextResolve) =>
        nextResolve(specifier, { ...context, conditions: ['@quayside/source', ...context.conditions] }),
    })
    await source()
  }
}

/** Returns whether no source is newer than the bundle. The build sets the time of its stamp when it finds no change. */
function isBundleCurrent() {
  const stamp = new URL('../bundle/sources.sha256', import.meta.url)
  if (!existsSync(stamp)) return false
  const { mtimeMs } = statSync(stamp)
  return ['server', 'embedded-postgres', 'sdk'].every((name) => {
    const source = join(import.meta.dirname, '../..', name, 'src')
    return readdirSync(source, { recursive: true })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .every((path) => statSync(join(source, path)).mtimeMs <= mtimeMs)
  })
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

const [argument] = process.argv.slice(2)
if (argument === '-h' || argument === '--help') process.stdout.write(help)
else if (argument === '-V' || argument === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (argument !== undefined && !['storage', 'admin', 'doctor'].includes(argument)) {
  process.stderr.write(
    `quayside-server: unknown argument '${argument}'\nRun quayside-server --help for usage.\n`,
  )
  process.exitCode = 2
} else if (!isRecent(process.versions.node)) {
  process.stderr.write(
    `quayside-server: Node 24.7 or newer is required and this is ${process.version}. ${hasSource ? 'Run `npm start` or `npx @quayside/server` after `npm ci`' : 'Install it from https://nodejs.org'}.\n`,
  )
  process.exitCode = 1
} else {
  // Storage uses up to 12 threads for calls that wait for the disk, and a hung disk must not occupy every thread. libuv
  // reads the variable when the first thread is needed, so it has to be set before anything else runs.
  process.env.UV_THREADPOOL_SIZE ??= '16'
  await run(programs[argument === 'doctor' ? 'admin' : (argument ?? 'main')])
}
