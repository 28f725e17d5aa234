import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import type { Account } from './account.ts'
import { isErrno } from './errno.ts'
import { makeMissingLinks, type NativePackage } from './native-package.ts'

/** All that PostgreSQL's programs get to see of our environment: no PG… variable, one language, one zone. */
export const programEnvironment = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
}

/**
 * A folder with bin, lib and share that the account can run: the package itself, or a copy of it where the
 * account can not enter node_modules (root's home has mode 0700) or the package's links can not be made.
 */
export async function runnableProgram(
  source: NativePackage,
  account: Account,
  places: readonly CopyPlace[],
): Promise<string> {
  const own = join(source.folder, 'native')
  const linksProblem = await makeMissingLinks(source, own)
  const reasons = [`${own}: ${(await reasonNotToRun(own, account)) ?? 'runs'}`]
  if (reasons[0]?.endsWith(': runs') === true) return own
  if (linksProblem !== undefined) reasons.push(linksProblem)

  for (const place of places) {
    const copy = join(place.parent, `${place.prefix}postgresql-${source.version}`)
    try {
      await provideCopy(source, copy, place.parent, account)
      const reason = await reasonNotToRun(copy, account)
      if (reason === undefined) return copy
      reasons.push(`${copy}: ${reason}`)
      await rm(copy, { recursive: true, force: true })
    } catch (error) {
      reasons.push(`${copy}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Problem(
    'unavailable',
    'embedded_postgres.not_runnable',
    [
      `PostgreSQL can not be run here as the user with the id ${account.uid}. Set DATABASE_URL to a server of yours, or mend one of these:`,
      ...reasons,
    ].join('\n  '),
  )
}

export type CopyPlace = { parent: string; prefix: string }

/** Where a copy may lie: for another account only outside of what is ours alone. */
export const copyPlaces = (account: Account, dataDir: string): CopyPlace[] =>
  account.switches
    ? [
        { parent: '/var/lib/quayside', prefix: '' },
        { parent: '/var/tmp', prefix: 'quayside-' },
        { parent: tmpdir(), prefix: 'quayside-' },
      ]
    : [{ parent: dataDir, prefix: '' }]

function reasonNotToRun(folder: string, { uid, gid, switches }: Account): Promise<string | undefined> {
  const options = { cwd: '/', env: programEnvironment, timeout: 20_000, ...(switches ? { uid, gid } : {}) }
  return new Promise((resolve) => {
    execFile(join(folder, 'bin', 'postgres'), ['--version'], options, (error, _, errors) =>
      resolve(error === null ? undefined : errors.trim() || error.message),
    )
  })
}

/** Makes the copy where it is missing or differs; whole or not at all, whoever else is making it too. */
async function provideCopy(
  source: NativePackage,
  copy: string,
  parent: string,
  account: Account,
): Promise<void> {
  const native = join(source.folder, 'native')
  // whatever the umask is: the account has to pass
  if ((await mkdir(parent, { recursive: true })) !== undefined && account.switches) await chmod(parent, 0o755)
  if (await isOurs(copy)) {
    if ((await contents(copy)) === (await contents(native))) return
    await rm(copy, { recursive: true, force: true })
  }
  const making = await mkdtemp(`${copy}.new-`)
  try {
    await cp(native, making, { recursive: true, verbatimSymlinks: true })
    const reason = await makeMissingLinks(source, making)
    if (reason !== undefined) throw new Error(reason)
    if (account.switches) await openForAll(making)
    await rename(making, copy)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST') || !(await isOurs(copy))) throw error
  }
}

/** In a folder that everybody writes to, what has our name may be somebody else's. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error('the folder is there already and somebody else may write to it')
}

async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    files.map(async (file) => `${file.slice(folder.length)} ${(await lstat(file)).size}`),
  )
  return sizes.sort().join('\n')
}

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644)
  }
}
