import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns the path of an installed Node 20 to 23, which the published packages must support, or of the current Node if
 * none of these versions is installed.
 */
export async function findSupportedNode(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const path of [...folders, '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, 'node'))) {
    const version = await run(path, ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    )
    if (/^v2[0-3]\./.test(version)) return path
  }
  return process.execPath
}
