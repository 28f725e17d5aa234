import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { cloneRepository, currentCommit, repository } from './clone.ts'
import { fastSteps, runRelease } from './run-release.ts'

/** Returns the folder of a release without Debian packages: QUAYSIDE_RELEASE_FOLDER, or one that it builds in `folder`. */
export async function provideRelease(folder: string): Promise<string> {
  const existing = process.env['QUAYSIDE_RELEASE_FOLDER']
  if (existing) return resolve(repository, existing)
  const checkout = join(folder, 'checkout')
  await cloneRepository(checkout, await currentCommit())
  const { code, output } = await runRelease(checkout, ['--test-key', '--only', fastSteps])
  assert.equal(code, 0, output)
  return join(checkout, 'release')
}
