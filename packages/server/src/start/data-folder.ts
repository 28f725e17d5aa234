import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isErrno, problem } from '../lib/problem.ts'
import { shellQuote } from '../lib/shell-quote.ts'

type Options = {
  log: Pick<Logger, 'info' | 'warn'>
  /** Whether another program, such as nginx, may read files in the folder as a different user. */
  isSharedForReading: boolean
  /** The group whose permissions the program uses. It may open files in the folder, but not list them. */
  groupId?: number | undefined
}

const writableByOthers = 0o022
const openToOthers = 0o077
const openToGroup = 0o010
/** Matches the files that the service, its database or the file system (lost+found) creates in the folder. */
const ownName =
  /^(instance\.lock|secret|first-key|restore\.json|storage|scratch|postgres([.-].*)?|postgresql-.*|\.(passwd|pg_(hba|ident)\.conf)|lost\+found)(\..*)?$/

/**
 * Creates the data folder, or denies other users access to an existing folder. If the folder contains unrelated files,
 * which may need the current permissions, logs a warning instead of changing the permissions. Throws if root would write
 * files that the owner of the folder could not read.
 */
export async function prepareDataFolder(
  dataDir: string,
  { log, isSharedForReading, groupId }: Options,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  await requireFolderOfUser(dataDir)
  const isOurs = (await readdir(dataDir)).every((name) => ownName.test(name))
  if (groupId !== undefined) await openToGroupOf(dataDir, { log, groupId, isOurs })
  const mode = (await stat(dataDir)).mode & 0o7777
  const excess = mode & excessOf({ isSharedForReading, groupId })
  if (excess === 0) return
  const closed = mode & ~excess
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

const octal = (mode: number): string => `0${mode.toString(8)}`

function excessOf({ isSharedForReading, groupId }: Omit<Options, 'log'>): number {
  if (groupId !== undefined) return openToOthers & ~openToGroup
  return isSharedForReading ? writableByOthers : openToOthers
}

/**
 * Lets the group open entries of the folder by name, but not list them. Their own permissions still apply, so only the
 * files of builds become readable.
 */
async function openToGroupOf(
  dataDir: string,
  { log, groupId, isOurs }: { log: Options['log']; groupId: number; isOurs: boolean },
): Promise<void> {
  const { uid, gid, mode } = await stat(dataDir)
  if (gid === groupId && (mode & openToGroup) !== 0) return
  if (!isOurs) {
    log.warn(
      { dataDir },
      `the data folder ${dataDir} contains other files, so its group is not changed. Run ` +
        `"chgrp ${groupId} ${dataDir} && chmod g+x ${dataDir}", or choose a dedicated folder with QUAYSIDE_DATA_DIR.`,
    )
    return
  }
  try {
    if (gid !== groupId) await chown(dataDir, uid, groupId)
    await chmod(dataDir, (mode & 0o700) | openToGroup)
  } catch (error) {
    if (!isErrno(error, 'EPERM')) throw error
    throw groupNotPermitted({ dataDir, groupId })
  }
}

const groupNotPermitted = problem(
  'conflict',
  'data_folder.group_not_permitted',
  'The service cannot give {dataDir} to the group with ID {groupId}, because its user is not a member. Add the user to the group, or set QUAYSIDE_STORAGE_GROUP to a group of the user and add the user of nginx to it.',
)

/**
 * Throws if this process runs as root but another user owns the folder. That user could not read the files that root
 * writes, so requests for them would fail once the service runs as that user again.
 */
export async function requireFolderOfUser(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid } = await stat(dataDir)
  if (uid === 0 || (await ownerOfNewFiles(dataDir)) === uid) return
  throw foreignFolder({ dataDir, uid, quotedFolder: shellQuote(dataDir) })
}

const foreignFolder = problem(
  'conflict',
  'data_folder.foreign',
  "The data folder {dataDir} belongs to the user with ID {uid}, who would not be able to read files that root writes there. Start as that user (sudo -u '#{uid}' …), or make root the owner of the folder and always start as root (chown root {quotedFolder}).",
)

/**
 * Returns the ID of the user who owns new files. This is not root if a network file system maps root to another user.
 */
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
