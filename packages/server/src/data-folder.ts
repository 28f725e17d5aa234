import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Problem } from './lib/problem.ts'
import { shellQuote } from './lib/shell-quote.ts'

type Options = {
  log: Pick<Logger, 'info' | 'warn'>
  /** Whether another program, such as nginx, reads files in the folder as a different user. */
  isSharedForReading: boolean
}

const writableByOthers = 0o022
const openToOthers = 0o077
/** Matches the files that the service, its database or the file system (lost+found) creates in the folder. */
const ownName =
  /^(instance\.lock|secret|first-key|storage|postgres([.-].*)?|postgresql-.*|\.(passwd|pg_(hba|ident)\.conf)|lost\+found)(\..*)?$/

/**
 * Creates the data folder, or denies other users access to an existing folder. If the folder contains unrelated files,
 * which may need the current permissions, logs a warning instead of changing the permissions. Throws if root would write
 * files that the owner of the folder could not read.
 */
export async function prepareDataFolder(
  dataDir: string,
  { log, isSharedForReading }: Options,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  await requireFolderOfUser(dataDir)
  const mode = (await stat(dataDir)).mode & 0o7777
  const excess = mode & (isSharedForReading ? writableByOthers : openToOthers)
  if (excess === 0) return
  const octal = (value: number) => `0${value.toString(8)}`
  const closed = mode & ~excess
  const isOurs = (await readdir(dataDir)).every((name) => ownName.test(name))
  const isClosed =
    isOurs &&
    (await chmod(dataDir, closed).then(
      () => true,
      () => false,
    ))
  if (isClosed)
    log.warn(
      { dataDir },
      `the data folder ${dataDir} was open to other users: changed its mode from ${octal(mode)} to ${octal(closed)}`,
    )
  else
    log.warn(
      { dataDir },
      `the data folder ${dataDir} is open to other users (mode ${octal(mode)}) and ` +
        `${isOurs ? 'cannot be closed' : 'contains other files'}. Run "chmod ${octal(closed)} ${dataDir}", ` +
        'or choose a dedicated folder with QUAYSIDE_DATA_DIR.',
    )
}

/**
 * Throws if this process runs as root but another user owns the folder. That user could not read the files that root
 * writes, so requests for them would fail once the service runs as that user again.
 */
export async function requireFolderOfUser(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid } = await stat(dataDir)
  if (uid === 0 || (await ownerOfNewFiles(dataDir)) === uid) return
  throw new Problem(
    'conflict',
    'data_folder.foreign',
    `The data folder ${dataDir} belongs to the user with ID ${uid}, who would not be able to read files that root ` +
      `writes there. Start as that user (sudo -u '#${uid}' …), or make root the owner of the folder and always start as root ` +
      `(chown root ${shellQuote(dataDir)}).`,
  )
}

/** Returns the user ID that new files get. It is not root's if a network file system maps root to another user. */
async function ownerOfNewFiles(folder: string): Promise<number> {
  const path = join(folder, `owner-check.${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    return (await file.stat()).uid
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
