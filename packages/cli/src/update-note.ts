import type { ClientResponse } from '@quayside/sdk'
import { version } from './defaults.ts'
import type { Output } from './output/output.ts'

/**
 * Returns a function that reads the server version from responses and prints a note once if that version is newer than
 * this CLI.
 */
export function createUpdateNote(server: string, output: Output): (response: ClientResponse) => void {
  let isNoted = false
  return ({ headers }) => {
    const serverVersion = headers.get('quayside-version')
    if (isNoted || serverVersion === null || !isNewer(serverVersion, version)) return
    isNoted = true
    output.note(
      `The server runs Quayside ${serverVersion}, but this is quayside ${version}. ` +
        `Update the CLI: curl -fsSL ${server}/cli/install.sh | sh`,
    )
  }
}

/** Returns whether a version is newer than another. Ignores pre-release labels. */
function isNewer(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)]
  const different = a.findIndex((number, index) => number !== b[index])
  return different !== -1 && (a[different] ?? 0) > (b[different] ?? 0)
}

const numbersOf = (version: string): number[] =>
  (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0').split('.').map(Number)
