import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blocksIn } from '../../../packages/server/test/acceptance/docs/docs-blocks.ts'
import { repository } from './clone.ts'
import { runProgram } from './run-release.ts'

/** Runs the checks of docs/verify-a-release.md in a folder, and returns the programs of those that fail. */
export async function failingChecks(cwd: string): Promise<string[]> {
  const page = await readFile(join(repository, 'docs/verify-a-release.md'), 'utf8')
  const checks = blocksIn(page).filter(({ reason }) => reason?.includes('release.ci.test.ts'))
  assert.equal(checks.length, 3)
  const failing: string[] = []
  for (const { commands } of checks) {
    const { code } = await runProgram('bash', ['-ec', commands], { cwd })
    if (code !== 0) failing.push(commands.split(' ')[0] ?? '')
  }
  return failing
}
