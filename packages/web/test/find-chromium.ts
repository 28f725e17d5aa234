import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Returns the path of Chromium: `QUAYSIDE_TEST_CHROMIUM`, or the first one in PATH. Undefined if there is none. */
export function findChromium(): string | undefined {
  const configured = process.env['QUAYSIDE_TEST_CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name)))
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
