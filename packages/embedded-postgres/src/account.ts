import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { EmbeddedPostgresError, isErrno } from './error.ts'
import { canNameUsers, createSystemUser, unusedUserId } from './own-user.ts'
import type { Account, Log } from './types.ts'
import { findUser, isSharedUser } from './users.ts'

type Owner = { uid: number; gid: number }

/**
 * Returns the account that runs the server: the current user or, if that is root, the owner of an existing cluster that
 * no other service uses, the system user `name` if an operator created it, or a dedicated user ID. PostgreSQL refuses
 * to run as root, and any process of a shared user could change the server's files through /proc.
 */
export async function findServerAccount(
  clusterFolder: string,
  name: string,
  log?: Pick<Log, 'info'>,
): Promise<Account> {
  const { uid, gid } = currentUser()
  const owner = await ownerOf(clusterFolder)
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid)
      throw new EmbeddedPostgresError(
        'foreign_folder',
        `The database in ${clusterFolder} belongs to the user with ID ${owner.uid}. Start as that user or as root.`,
      )
    return { uid, gid, switches: false, hasName: true }
  }
  if (owner !== undefined && (await isOwnAccount(owner, clusterFolder, name))) {
    const hasName = (await findUser(owner.uid)) !== undefined
    return { uid: owner.uid, gid: owner.gid, switches: true, hasName }
  }
  const user = await findUser(name)
  if (user !== undefined && user.uid > 0)
    return { uid: user.uid, gid: user.gid, switches: true, hasName: true }
  // Only initdb needs a user with a name, and it runs only if the cluster does not exist yet.
  if (process.platform === 'linux' && (owner !== undefined || (await canNameUsers()))) {
    const id = await unusedUserId()
    if (id !== undefined) return { uid: id, gid: id, switches: true, hasName: false }
  }
  const created = await createSystemUser(name)
  if (created !== undefined) {
    log?.info(created, `created the system user ${name} for PostgreSQL, which does not run as root`)
    return { uid: created.uid, gid: created.gid, switches: true, hasName: true }
  }
  throw new EmbeddedPostgresError(
    'no_account',
    `PostgreSQL does not run as root and needs a dedicated user. Create one with "useradd --system ${name}", ` +
      'or start as an ordinary user.',
  )
}

/** Returns whether the cluster owner is used only by this server or was chosen by the operator for the data folder. */
async function isOwnAccount(owner: Owner, clusterFolder: string, name: string): Promise<boolean> {
  if (owner.uid === 0 || (await isSharedUser(owner.uid))) return false
  const user = await findUser(owner.uid)
  if (user === undefined || user.name === name) return true
  return (await ownerOf(dirname(clusterFolder)))?.uid === owner.uid
}

/** Returns the user of this process. Throws if the user has no name, because PostgreSQL requires one. */
export function currentUser(): { uid: number; gid: number; username: string } {
  try {
    return userInfo()
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_account',
      `The user ID ${process.getuid?.()} has no name on this system (no entry in /etc/passwd), which PostgreSQL requires. ` +
        'Start as a user that has one, or as root.',
      { cause: error },
    )
  }
}

async function ownerOf(folder: string): Promise<Owner | undefined> {
  try {
    const { uid, gid } = await stat(folder)
    return { uid, gid }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}
