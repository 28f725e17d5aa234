import { execFile } from 'node:child_process'
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import { type Account, thisUser } from './account.ts'
import { isErrno } from './errno.ts'
import { clusterName, endServerProcesses } from './processes.ts'
import { programEnvironment } from './program.ts'

/** The one major version whose data the installed programs read. */
const majorVersion = '18'

export const clusterFolderOf = (dataDir: string): string => join(dataDir, 'postgres')

/** Says that a database was made here, so that a folder gone missing is never taken for a first start. */
const markerOf = (dataDir: string): string => join(dataDir, 'postgres.json')

/**
 * The argument that names the cluster to a program started in its folder. An account that can not enter the
 * folders above still reaches its working directory by this path of Linux, so the data never has to lie
 * elsewhere than in the data folder.
 */
export const folderArgument = (folder: string, account: Account, platform: string): string =>
  account.switches && platform === 'linux' ? '/proc/self/cwd' : folder

type ClusterOptions = { dataDir: string; programFolder: string; account: Account; platform: string }

/** Makes the cluster at the first start; answers whether it did. Throws where the one that was here is gone. */
export async function provideCluster(options: ClusterOptions): Promise<boolean> {
  const { dataDir } = options
  const folder = clusterFolderOf(dataDir)
  await removeUnfinished(dataDir)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined) {
    await requireFirstStart(dataDir, folder)
    await makeCluster(options, folder)
  } else if (version.trim() !== majorVersion) {
    throw new Problem(
      'unavailable',
      'embedded_postgres.other_version',
      `The database in ${folder} is of PostgreSQL ${version.trim()}, and this version of Quayside comes with ${majorVersion}: ` +
        'start the version of Quayside that made it, or dump it into a server of yours and set DATABASE_URL.',
    )
  }
  await writeFile(markerOf(dataDir), `${JSON.stringify({ database: 'postgres/', majorVersion })}\n`, {
    mode: 0o600,
  })
  await writeAccessFiles(options, folder)
  return version === undefined
}

async function requireFirstStart(dataDir: string, folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  })
  const marker = await readFile(markerOf(dataDir), 'utf8').catch(() => undefined)
  if (marker === undefined && (entries === undefined || entries.length === 0)) return
  throw new Problem(
    'unavailable',
    'embedded_postgres.data_gone',
    marker === undefined
      ? `${folder} is not empty and is no PostgreSQL database: move it away or choose another data folder.`
      : `The database of this data folder is gone: ${folder} holds none. Put it back from a backup; ` +
          `to begin with an empty one, remove ${markerOf(dataDir)}.`,
  )
}

/** A first start that was killed leaves its folder, perhaps with an initdb still at work in it. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))
  for (const name of names) {
    const folder = join(dataDir, name)
    await endServerProcesses(await clusterName(folder), 0)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function makeCluster(
  { dataDir, programFolder, account, platform }: ClusterOptions,
  folder: string,
): Promise<void> {
  const making = await mkdtemp(join(dataDir, 'postgres.new-'))
  const { uid, gid } = account
  if (account.switches) await chown(making, uid, gid)
  await runInitdb(
    join(programFolder, 'bin', 'initdb'),
    making,
    folderArgument(making, account, platform),
    account,
  )
  await rename(making, folder)
  const parent = await open(dataDir)
  await parent.sync().finally(() => parent.close())
}

function runInitdb(
  initdb: string,
  cwd: string,
  folder: string,
  { uid, gid, switches }: Account,
): Promise<void> {
  const given = [
    `--pgdata=${folder}`,
    '--username=quayside',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=peer',
    '--auth-host=reject',
  ]
  const options = { cwd, env: programEnvironment, ...(switches ? { uid, gid } : {}) }
  return new Promise((resolve, reject) => {
    execFile(initdb, given, options, (error, _, errors) => {
      if (error === null) return resolve()
      const text = `PostgreSQL's initdb failed: ${errors.trim() || error.message} (DATABASE_URL names a server of yours instead.)`
      reject(new Problem('unavailable', 'embedded_postgres.initdb_failed', text, { cause: error }))
    })
  })
}

/** Only the user that runs Quayside gets in, and the operating system vouches for it. Holds since the last start. */
async function writeAccessFiles({ dataDir, account }: ClusterOptions, folder: string): Promise<void> {
  const user = thisUser().username.replaceAll('"', '""')
  const files = {
    'pg_hba.conf': 'local all quayside peer map=quayside\n',
    'pg_ident.conf': `quayside "${user}" quayside\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    // made outside and moved in: what lies in the folder belongs to another user, and may be a link to anywhere
    const made = join(dataDir, `.${name}`)
    await rm(made, { force: true })
    await writeFile(made, text, { mode: 0o600, flag: 'wx' })
    if (account.switches) await chown(made, account.uid, account.gid)
    await rename(made, join(folder, name))
  }
}
