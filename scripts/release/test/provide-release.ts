import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isRunning } from '../../../packages/server/test/acceptance/processes.ts'
import { until } from '../../../packages/server/test/acceptance/until.ts'
import { run } from '../run.ts'
import { cloneRepository, currentCommit, repository } from './clone.ts'
import { fastSteps, runRelease } from './run-release.ts'

const cache = join(repository, 'node_modules/.cache/test-release')
const lock = 'lock'
const maxBuildMs = 900_000

/**
 * Returns the folder of a release without Debian packages: QUAYSIDE_RELEASE_FOLDER, or one of the current state. The first
 * test file that needs it builds it, and the others wait for it. Tests must not change its files.
 */
export async function provideRelease(): Promise<string> {
  const existing = process.env['QUAYSIDE_RELEASE_FOLDER']
  if (existing) return resolve(repository, existing)
  const commit = await currentCommit()
  const tree = (await run('git', ['rev-parse', `${commit}^{tree}`], { cwd: repository })).trim()
  const target = join(cache, tree)
  mkdirSync(cache, { recursive: true })
  const unlock = await until('no other process builds the release', lockCache, { withinMs: maxBuildMs })
  try {
    if (!existsSync(target)) {
      for (const name of readdirSync(cache)) if (name !== lock) rmSync(join(cache, name), { recursive: true })
      await buildRelease(commit, target)
    }
  } finally {
    unlock()
  }
  return target
}

async function buildRelease(commit: string, target: string): Promise<void> {
  const checkout = await mkdtemp(join(tmpdir(), 'quayside-checkout-'))
  try {
    await cloneRepository(checkout, commit, { copiesBuilds: true })
    const args = ['--test-key', '--fast', '--only', fastSteps, '--output', target]
    const { code, output } = await runRelease(checkout, args)
    assert.equal(code, 0, output)
  } finally {
    await rm(checkout, { recursive: true, force: true })
  }
}

/** Locks the cache and returns a function that unlocks it, or undefined if another running process has locked it. */
function lockCache(): (() => void) | undefined {
  const path = join(cache, lock)
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return () => rmSync(path)
  } catch {
    // Another process may have deleted the file since.
    const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
    if (owner > 0 && !isRunning(owner)) rmSync(path, { force: true })
    return undefined
  }
}
