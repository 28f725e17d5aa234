import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readCheckout } from './checkout.ts'
import { ReleaseError } from './release-error.ts'
import { run } from './run.ts'

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-checkout-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('reads the commit, its date and the version, until a file changes', async (t) => {
  const folder = await emptyFolder(t)
  const git = (...args: string[]) => run('git', args, { cwd: folder })
  await git('init', '--quiet')
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3"}')
  await git('add', '.')
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  await git(...author, 'commit', '--quiet', '--message', 'first')
  const { commit, committedAt, version } = await readCheckout(folder)
  assert.equal(commit, (await git('rev-parse', 'HEAD')).trim())
  assert.equal(committedAt.getTime() / 1000, Number(await git('log', '-1', '--format=%ct')))
  assert.equal(version, '1.2.3')

  await writeFile(join(folder, 'package.json'), '{"version":"1.2.4"}')
  await writeFile(join(folder, 'new.txt'), '')
  await assert.rejects(readCheckout(folder), ({ message }: Error) => {
    assert.match(message, /^The checkout has changes that are not committed\./)
    assert.match(message, / M package\.json\n/)
    assert.match(message, /\?\? new\.txt$/)
    return true
  })
})

test('rejects a folder that is not a Git checkout', async (t) => {
  await assert.rejects(readCheckout(await emptyFolder(t)), ReleaseError)
})
