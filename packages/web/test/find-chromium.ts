import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const shell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * Returns the path of Chromium: `QUAYSIDE_TEST_CHROMIUM`, or the first one in PATH. Undefined if there is none. `isWhole`
 * excludes the headless shell, which takes less CPU time but is not what people use.
 */
export function findChromium({ isWhole = false } = {}): string | undefined {
  const configured = process.env['QUAYSIDE_TEST_CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const installed = (isWhole ? names : [shell, ...names]).flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  )
  return (configured === undefined ? installed : [configured]).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
