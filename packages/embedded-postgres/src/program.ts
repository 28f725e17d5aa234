import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError, isErrno } from './error.ts'
import { createMissingLinks, type NativePackage } from './native-package.ts'
import type { Account } from './types.ts'

/** The complete environment of the PostgreSQL programs: no PG… variables, and a fixed locale and time zone. */
export const programEnvironment = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
}

/**
 * Returns a folder with bin, lib and share that the account can use. This is the package, or a copy if the account
 * cannot access node_modules (for example in root's home directory) or the links in the package cannot be created.
 */
export async function findRunnableProgram(
  source: NativePackage,
  account: Account,
  locations: readonly CopyLocation[],
): Promise<string> {
  const own = join(source.folder, 'native')
  const linksProblem = await createMissingLinks(source, own)
  const runProblem = await findRunProblem(own, account)
  if (runProblem === undefined) return own
  const reasons = [`${own}: ${runProblem}`, ...(linksProblem === undefined ? [] : [linksProblem])]
  for (const location of locations) {
    const copy = join(location.parent, `${location.prefix}postgresql-${source.version}`)
    try {
      await ensureCopy(source, copy, location.parent, account)
      const reason = await findRunProblem(copy, account)
      if (reason === undefined) return copy
      reasons.push(`${copy}: ${reason}`)
      await rm(copy, { recursive: true, force: true })
    } catch (error) {
      reasons.push(`${copy}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new EmbeddedPostgresError(
    'not_runnable',
    [`PostgreSQL cannot be run here as the user with ID ${account.uid}. Fix one of these:`, ...reasons].join(
      '\n  ',
    ),
  )
}

export type CopyLocation = { parent: string; prefix: string }

/** Returns the possible locations of a copy. Omits private folders if a different account must run the programs. */
export const copyLocations = (account: Account, dataDir: string, name: string): CopyLocation[] =>
  account.switches
    ? [
        { parent: `/var/lib/${name}`, prefix: '' },
        { parent: '/var/tmp', prefix: `${name}-` },
        { parent: tmpdir(), prefix: `${name}-` },
      ]
    : [{ parent: dataDir, prefix: '' }]

function findRunProblem(folder: string, { uid, gid, switches }: Account): Promise<string | undefined> {
  const options = { cwd: '/', env: programEnvironment, timeout: 20_000, ...(switches ? { uid, gid } : {}) }
  return new Promise((resolve) => {
    execFile(join(folder, 'bin', 'postgres'), ['--version'], options, (error, _, errors) =>
      resolve(error === null ? undefined : errors.trim() || error.message),
    )
  })
}

/**
 * Creates the copy if it is missing or differs from the package. The copy is created atomically, so concurrent calls
 * are safe.
 */
async function ensureCopy(
  source: NativePackage,
  copy: string,
  parent: string,
  account: Account,
): Promise<void> {
  const native = join(source.folder, 'native')
  // The account must be able to access the folder regardless of the umask.
  if ((await mkdir(parent, { recursive: true })) !== undefined && account.switches) await chmod(parent, 0o755)
  if (await isOurs(copy)) {
    if ((await listContents(copy)) === (await listContents(native))) return
    await rm(copy, { recursive: true, force: true })
  }
  const temporary = await mkdtemp(`${copy}.new-`)
  try {
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
    const reason = await createMissingLinks(source, temporary)
    if (reason !== undefined) throw new Error(reason)
    if (account.switches) await allowReading(temporary)
    await rename(temporary, copy)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST') || !(await isOurs(copy))) throw error
  }
}

/** Returns whether the folder exists. Throws if another user owns it or can write to it. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error('the folder already exists and other users can write to it')
}

async function listContents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    files.map(async (file) => `${file.slice(folder.length)} ${(await lstat(file)).size}`),
  )
  return sizes.sort().join('\n')
}

async function allowReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644)
  }
}
