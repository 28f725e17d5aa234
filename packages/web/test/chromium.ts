import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Returns the path of Chromium: `QUAYSIDE_TEST_CHROMIUM`, or the first one in PATH. Undefined if there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env['QUAYSIDE_TEST_CHROMIUM'] ?? '', ...candidates].find(isProgram)
}

/** The reason why a test is skipped, or false. The option `skip` of a test accepts both. */
export const withoutChromium: string | false =
  findChromium() === undefined
    ? 'Chromium is not installed; scripts/install-test-tools.sh installs it.'
    : false

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(String(withoutChromium))
  // Chromium refuses to run as root with its sandbox, and containers rarely allow the sandbox at all.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
