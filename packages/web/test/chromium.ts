import { chromium, type Browser } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

/** The reason to skip a test, or false. */
export const withoutChromium: string | false =
  findChromium() === undefined && 'Chromium is not installed; scripts/install-test-tools.sh installs it.'

export function launchChromium(options?: { isWhole: boolean }): Promise<Browser> {
  const executablePath = findChromium(options)
  if (executablePath === undefined) throw new Error(String(withoutChromium))
  // Chromium does not start as root with its sandbox.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}
