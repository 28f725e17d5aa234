import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { Problem } from '../../lib/problem.ts'
import { isErrno } from './errno.ts'

/** Who the server runs as; `switches` where that is somebody else than this process. */
export type Account = { uid: number; gid: number; switches: boolean }

// An operator may make the first of them; the second is on every Linux and macOS.
const names = ['quayside', 'nobody']

/**
 * PostgreSQL refuses to run as root. Started by root it runs as the owner of the cluster that is there, or
 * for a new one as an unprivileged user of the system.
 */
export async function serverAccount(clusterFolder: string): Promise<Account> {
  const { uid, gid } = thisUser()
  const owner = await ownerOf(clusterFolder)
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid)
      throw new Problem(
        'unavailable',
        'embedded_postgres.foreign_folder',
        `The database in ${clusterFolder} belongs to the user with the id ${owner.uid}: start Quayside as that user or as root.`,
      )
    return { uid, gid, switches: false }
  }
  const account = owner !== undefined && owner.uid !== 0 ? owner : await unprivilegedUser()
  return { ...account, switches: true }
}

/** Who this process runs as. PostgreSQL asks the system for the name, so there has to be one. */
export function thisUser(): { uid: number; gid: number; username: string } {
  try {
    return userInfo()
  } catch (error) {
    throw new Problem(
      'unavailable',
      'embedded_postgres.no_account',
      `The user id ${process.getuid?.()} has no name on this system (no line in /etc/passwd), and PostgreSQL asks for one: ` +
        'start Quayside as a user that has, as root, or set DATABASE_URL.',
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

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of names) {
    const entry = lines.find(([given]) => given === name)
    if (entry !== undefined && Number(entry[2]) > 0) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new Problem(
    'unavailable',
    'embedded_postgres.no_account',
    'PostgreSQL does not run as root, and this system has no user "nobody" or "quayside" to run it as: ' +
      'make one, start Quayside as an ordinary user, or set DATABASE_URL.',
  )
}
