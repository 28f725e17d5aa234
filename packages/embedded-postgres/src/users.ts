import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { programEnvironment } from './program.ts'

export type User = { name: string; uid: number; gid: number }

const lookupTimeoutMs = 5_000

/** Finds a user by name or ID, including users from directory services. Returns undefined if there is none. */
export async function findUser(nameOrId: string | number): Promise<User | undefined> {
  const entries = (await readUsers(['passwd', String(nameOrId)])) ?? (await readUserFile())
  return entries.find(({ name, uid }) => (typeof nameOrId === 'number' ? uid : name) === nameOrId)
}

/**
 * Returns whether unrelated services may run as this user. This is the case for `nobody`, even under a different name.
 */
export async function isSharedUser(uid: number): Promise<boolean> {
  const overflow = await readFile('/proc/sys/kernel/overflowuid', 'utf8').catch(() => '65534')
  return uid === 65_534 || uid === Number(overflow) || uid === (await findUser('nobody'))?.uid
}

/** Reads users with getent. Returns undefined if getent is missing, as on macOS, or does not respond. */
function readUsers(args: string[]): Promise<User[] | undefined> {
  const notFoundCode = 2
  const options = { env: programEnvironment, timeout: lookupTimeoutMs }
  return new Promise((resolve) => {
    execFile('getent', args, options, (error, text) =>
      resolve(error === null ? parse(text) : error.code === notFoundCode ? [] : undefined),
    )
  })
}

const readUserFile = async (): Promise<User[]> => parse(await readFile('/etc/passwd', 'utf8').catch(() => ''))

const parse = (text: string): User[] =>
  text.split('\n').flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return name === '' ? [] : { name, uid: Number(uid), gid: Number(gid) }
  })
