import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { programEnvironment } from './program.ts'
import type { Account } from './types.ts'
import { findUser, type User } from './users.ts'

// Debian policy, systemd (systemd.io/UIDS-GIDS) and shadow's subordinate IDs do not use these ranges. The second range
// is for containers that map only IDs up to 65535.
const freeRanges = [
  [70_000, 99_999],
  [60_706, 61_183],
] as const
const maxAttempts = 100

/** Returns an unused ID for both a user and a group, or undefined if there is none. */
export async function unusedUserId(): Promise<number | undefined> {
  const isMapped = [await readMap('/proc/self/uid_map'), await readMap('/proc/self/gid_map')]
  const isDelegated = [await readSubordinates('/etc/subuid'), await readSubordinates('/etc/subgid')]
  const running = await runningUserIds()
  for (const [first, last] of freeRanges) {
    if (!isMapped.every((contains) => contains(first) && contains(last))) continue
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const id = randomInt(first, last + 1)
      if (running.has(id) || isDelegated.some((contains) => contains(id))) continue
      if ((await findUser(id)) === undefined) return id
    }
  }
  return undefined
}

type Contains = (id: number) => boolean

const ranges =
  (entries: (readonly [first: number, count: number])[]): Contains =>
  (id) =>
    entries.some(([first, count]) => id >= first && id < first + count)

/** Reads the IDs that are mapped into this user namespace. See user_namespaces(7). */
async function readMap(path: string): Promise<Contains> {
  const text = await readFile(path, 'utf8').catch(() => '0 0 4294967295')
  return ranges(
    text.split('\n').map((line) => {
      const [first, , count] = line.trim().split(/\s+/)
      return [Number(first), Number(count)] as const
    }),
  )
}

async function readSubordinates(path: string): Promise<Contains> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return ranges(
    text.split('\n').map((line) => {
      const [, first, count] = line.split(':')
      return [Number(first), Number(count)] as const
    }),
  )
}

async function runningUserIds(): Promise<Set<number>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry))
  const owners = await Promise.all(
    pids.map((pid) =>
      stat(`/proc/${pid}`).then(
        ({ uid }) => uid,
        () => 0,
      ),
    ),
  )
  return new Set(owners)
}

// initdb refuses to run without a user name. A private mount namespace provides a name to initdb alone and leaves the
// system's /etc/passwd unchanged. nscd is hidden, because it would take precedence over /etc/passwd.
const namingScript = `
mount --bind "$1" /etc/passwd || exit
if [ -d /var/run/nscd ]; then mount -t tmpfs none /var/run/nscd || exit; fi
shift
exec "$@"`

const inNamespace = (passwdFile: string, command: readonly string[]): string[] =>
  ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', namingScript, 'sh', passwdFile].concat(
    command,
  )

/** Returns whether `namedCommand` works on this system. It does not work in containers without CAP_SYS_ADMIN. */
export const canNameUsers = (): Promise<boolean> =>
  runsSuccessfully(inNamespace('/etc/passwd', ['setpriv', '--clear-groups', 'true']))

/** Returns a command that runs `command` as the account, with `passwdFile` as /etc/passwd. Only root can run it. */
export const namedCommand = (
  { uid, gid }: Account,
  passwdFile: string,
  command: readonly string[],
): string[] =>
  inNamespace(
    passwdFile,
    ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'].concat(command),
  )

/** Creates a system user, as an operating system package would. Returns undefined if this fails. */
export async function createSystemUser(name: string): Promise<User | undefined> {
  const nologin = '/usr/sbin/nologin'
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  if (!(await runsSuccessfully(['useradd', ...options, '--shell', nologin, name]))) return undefined
  return await findUser(name)
}

function runsSuccessfully([program = '', ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: programEnvironment, timeout: 20_000 }
    execFile(program, args, options, (error) => resolve(error === null))
  })
}
