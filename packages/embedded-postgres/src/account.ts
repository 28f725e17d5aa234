import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { EmbeddedPostgresError, isErrno } from './error.ts'

/** The user that runs the server; `switches` is true if this differs from the user of this process. */
export type Account = { uid: number; gid: number; switches: boolean }

/**
 * Returns the account for the server. PostgreSQL refuses to run as root. For root, the account is the owner of the
 * existing cluster or, for a new one, the system user `name` if an operator has created it, else nobody.
 */
export async function findServerAccount(clusterFolder: string, name: string): Promise<Account> {
  const { uid, gid } = currentUser()
  const owner = await ownerOf(clusterFolder)
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid)
      throw new EmbeddedPostgresError(
        'foreign_folder',
        `The database in ${clusterFolder} belongs to the user with id ${owner.uid}. Start as that user or as root.`,
      )
    return { uid, gid, switches: false }
  }
  const account = owner !== undefined && owner.uid !== 0 ? owner : await unprivilegedUser([name, 'nobody'])
  return { ...account, switches: true }
}

/** Returns the user of this process. Throws if the user has no name, because PostgreSQL requires one. */
export function currentUser(): { uid: number; gid: number; username: string } {
  try {
    return userInfo()
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_account',
      `The user id ${process.getuid?.()} has no name on this system (no entry in /etc/passwd), which PostgreSQL requires. ` +
        'Start as a user that has one, or as root.',
      { cause: error },
    )
  }
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder)
    return { uid, gid }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function unprivilegedUser(names: string[]): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of names) {
    const entry = lines.find(([user]) => user === name)
    if (entry !== undefined && Number(entry[2]) > 0) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new EmbeddedPostgresError(
    'no_account',
    `PostgreSQL does not run as root, and this system has no user ${names.join(' or ')} to run it as. ` +
      'Create one, or start as an ordinary user.',
  )
}
