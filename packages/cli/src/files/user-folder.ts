import { homedir } from 'node:os'
import { join } from 'node:path'
import { firstNonEmpty } from '../ci/ci-metadata.ts'
import type { Env } from '../ci/ci-metadata.ts'

/** The variables of Linux and Windows that name a folder of the user, and the default below the home folder. */
const folders = {
  cache: ['XDG_CACHE_HOME', 'LOCALAPPDATA', '.cache'],
  config: ['XDG_CONFIG_HOME', 'APPDATA', '.config'],
  state: ['XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state'],
} as const

/** Returns the folder of the user for files of this kind. */
export function userFolder(env: Env, kind: keyof typeof folders): string {
  const [onLinux, onWindows, inHome] = folders[kind]
  const home = firstNonEmpty(env['HOME']) ?? homedir()
  return join(firstNonEmpty(env[onLinux], env[onWindows]) ?? join(home, inHome), 'quayside')
}
