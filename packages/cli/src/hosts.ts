import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Env } from './ci/ci-metadata.ts'
import { Failure } from './failure.ts'
import { fileErrorReason } from './files/file-error.ts'
import { cannotRead } from './files/file-failure.ts'
import { userFolder } from './files/user-folder.ts'

/** The API keys stored by `quayside login`, by server URL. */
export type Hosts = {
  /** The server that commands use if neither --server nor QUAYSIDE_SERVER selects one. */
  default_server: string | null
  servers: Record<string, { key: string }>
}

/** Returns the path of the file with the stored keys, in XDG_CONFIG_HOME, %APPDATA% or ~/.config. */
export const hostsPath = (env: Env): string => join(userFolder(env, 'config'), 'hosts.json')

/** Returns the stored keys, or none if the file does not exist. Throws if the file cannot be used. */
export function readHosts(path: string): Hosts {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOTDIR: the home folder of some system users is /dev/null.
    if (code === 'ENOENT' || code === 'ENOTDIR') return { default_server: null, servers: {} }
    throw cannotRead(path, error)
  }
  try {
    const { default_server, servers } = JSON.parse(text) as Partial<Hosts>
    const keys = Object.entries(servers ?? {}).filter(([, server]) => typeof server.key === 'string')
    return {
      default_server: typeof default_server === 'string' ? default_server : null,
      servers: Object.fromEntries(keys),
    }
  } catch {
    throw new Failure('failed', `${path} is damaged. Delete it and run \`quayside login\` again.`)
  }
}

/** Returns a note if other users of this machine can read the file. */
export function hostsWarning(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  // On Windows, the mode does not describe the permissions of other users.
  if (stats === undefined || platform() === 'win32' || (stats.mode & 0o077) === 0) return undefined
  return `Other users can access the API keys in ${path}. Run \`chmod 600 ${path}\`.`
}

/** Replaces the file atomically. Only the user can read it. */
export function writeHosts(path: string, hosts: Hosts): void {
  const folder = dirname(path)
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeFileSync(temporaryPath, `${JSON.stringify(hosts, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(temporaryPath, path)
  } catch (error) {
    if (existsSync(temporaryPath)) rmSync(temporaryPath)
    throw new Failure(
      'failed',
      `Cannot write ${path}: ${fileErrorReason(error)}. Set XDG_CONFIG_HOME to a writable folder.`,
      { cause: error },
    )
  }
}

/** Returns the hosts with the key of a server added or replaced. The server becomes the default. */
export function withStoredKey(hosts: Hosts, server: string, key: string): Hosts {
  return { default_server: server, servers: { ...hosts.servers, [server]: { key } } }
}

/** Returns the hosts without the key of a server. If only one other server remains, it becomes the default. */
export function withoutStoredKey(hosts: Hosts, server: string): Hosts {
  const servers = Object.fromEntries(Object.entries(hosts.servers).filter(([url]) => url !== server))
  const [first, ...others] = Object.keys(servers)
  const onlyServer = first !== undefined && others.length === 0 ? first : null
  return { default_server: hosts.default_server === server ? onlyServer : hosts.default_server, servers }
}
