import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The programs that install.sh always uses. */
const basicTools =
  'awk cat cp curl cut find grep gzip head mkdir mktemp mv rm sed sh sha256sum tail tar tr uname'.split(' ')

/** The programs that can verify the signature of a release. */
export const verifiers = ['minisign', 'openssl', 'ssh-keygen'] as const

/** Returns the path of a program, or undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name]).toString().trim()
  } catch {
    return undefined
  }
}

/** Fills a folder for PATH with the basic tools and `additional` ones, so that a script finds no others. */
export async function createToolFolder(folder: string, additional: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const name of [...basicTools, ...additional]) {
    const path = findProgram(name)
    if (path !== undefined) await symlink(path, join(folder, name))
  }
  return folder
}
