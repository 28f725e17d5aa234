import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { superuser } from './access-files.ts'
import { EmbeddedPostgresError, isErrno } from './error.ts'
import { namedCommand } from './own-user.ts'
import { clusterName, stopServerProcesses } from './processes.ts'
import { programEnvironment } from './program.ts'
import type { Account } from './types.ts'

/** The only major version whose data the bundled PostgreSQL can read. */
const majorVersion = '18'

export const clusterFolderOf = (dataDir: string): string => join(dataDir, 'postgres')

/**
 * Returns the path of the file that records that a database exists. It prevents a lost folder from being replaced with
 * an empty database.
 */
const markerOf = (dataDir: string): string => join(dataDir, 'postgres.json')

/**
 * Returns the cluster path for a program that runs in the cluster folder. If the account differs on Linux, the path
 * refers to the working directory, because the account may not be able to access the parent folders.
 */
export const folderArgument = (folder: string, account: Account, platform: string): string =>
  account.switches && platform === 'linux' ? '/proc/self/cwd' : folder

type ClusterOptions = {
  dataDir: string
  programFolder: string
  account: Account
  platform: string
}

/** Creates the cluster on the first start. Returns whether it was created. Throws if an existing cluster was lost. */
export async function ensureCluster(options: ClusterOptions): Promise<boolean> {
  const { dataDir } = options
  const folder = clusterFolderOf(dataDir)
  await removeUnfinished(dataDir)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined) {
    await requireFirstStart(dataDir, folder)
    await createCluster(options, folder)
  } else if (version.trim() !== majorVersion) {
    throw new EmbeddedPostgresError(
      'other_version',
      `The database in ${folder} is from PostgreSQL ${version.trim()}, but the bundled version is ${majorVersion}. ` +
        'Start the version that created it, or move the data to your own server with pg_dump.',
    )
  }
  await writeFile(markerOf(dataDir), `${JSON.stringify({ database: 'postgres/', majorVersion })}\n`, {
    mode: 0o600,
  })
  return version === undefined
}

async function requireFirstStart(dataDir: string, folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  })
  const marker = await readFile(markerOf(dataDir), 'utf8').catch(() => undefined)
  if (marker === undefined && (entries === undefined || entries.length === 0)) return
  throw new EmbeddedPostgresError(
    'data_gone',
    marker === undefined
      ? `${folder} is not empty and is not a PostgreSQL database. Move it away or choose another data folder.`
      : `The database of this data folder is missing from ${folder}. Restore it from a backup, ` +
          `or delete ${markerOf(dataDir)} to start with an empty one.`,
  )
}

/** Removes the folders left by interrupted first starts. Their initdb processes may still be running. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))
  for (const unfinished of names) {
    const folder = join(dataDir, unfinished)
    await stopServerProcesses(await clusterName(folder), 0)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function createCluster(
  { dataDir, programFolder, account, platform }: ClusterOptions,
  folder: string,
): Promise<void> {
  const temporary = await mkdtemp(join(dataDir, 'postgres.new-'))
  const { uid, gid } = account
  if (account.switches) await chown(temporary, uid, gid)
  const initdb = [join(programFolder, 'bin', 'initdb'), ...initdbArguments]
  initdb.push(`--pgdata=${folderArgument(temporary, account, platform)}`)
  if (account.hasName) await runInitdb(initdb, temporary, account)
  else await runNamedInitdb(initdb, temporary, account, dataDir)
  await rename(temporary, folder)
  const parent = await open(dataDir)
  await parent.sync().finally(() => parent.close())
}

const initdbArguments = [
  `--username=${superuser.name}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=peer',
  '--auth-host=reject',
]

/** Runs initdb as a user ID without a name. Provides a temporary name, because initdb requires one. */
async function runNamedInitdb(
  initdb: string[],
  cwd: string,
  account: Account,
  dataDir: string,
): Promise<void> {
  const passwdFile = join(dataDir, '.passwd')
  await rm(passwdFile, { force: true })
  const users = [
    'root:x:0:0::/:/bin/false',
    `${superuser.name}:x:${account.uid}:${account.gid}::/:/bin/false`,
  ]
  await writeFile(passwdFile, `${users.join('\n')}\n`, { flag: 'wx' })
  try {
    await chmod(passwdFile, 0o644)
    await runInitdb(namedCommand(account, passwdFile, initdb), cwd, { ...account, switches: false })
  } finally {
    await rm(passwdFile, { force: true })
  }
}

function runInitdb(
  [program = '', ...args]: string[],
  cwd: string,
  { uid, gid, switches }: Account,
): Promise<void> {
  const options = { cwd, env: programEnvironment, ...(switches ? { uid, gid } : {}) }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, _, errors) => {
      if (error === null) return resolve()
      const text = `PostgreSQL's initdb failed: ${errors.trim() || error.message}`
      reject(new EmbeddedPostgresError('initdb_failed', text, { cause: error }))
    })
  })
}
