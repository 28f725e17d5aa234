import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { selectTests } from './select-tests.ts'

const tests = [
  'bench/limit.test.ts',
  'packages/cli/src/upload.test.ts',
  'packages/server/src/features/uploads/verify-upload.test.ts',
  'packages/server/test/acceptance/crash.test.ts',
  'scripts/check.test.ts',
]
const others = ['packages/server/src/main.ts', 'packages/cli/node_modules/x/x.test.ts', 'docs/a.test.ts']
let root: string

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'quayside-select-'))
  for (const path of [...tests, ...others]) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '')
  }
})
after(() => rm(root, { recursive: true, force: true }))

test('selectTests, nothing wanted, answers every test that is ours, sorted', async () => {
  assert.deepEqual(await selectTests(root, []), tests)
})

test('selectTests, parts of paths, answers the files that have one of them', async () => {
  assert.deepEqual(await selectTests(root, ['upload', 'bench/']), [tests[0], tests[1], tests[2]])
})

test('selectTests, a path in any spelling, answers that file', async () => {
  assert.deepEqual(await selectTests(root, ['./packages/server/test/acceptance/crash.test.ts']), [tests[3]])
  assert.deepEqual(await selectTests(root, [join(root, 'scripts/check.test.ts')]), [tests[4]])
})

test('selectTests, a text that no path has, answers nothing', async () => {
  assert.deepEqual(await selectTests(root, ['no-such-test']), [])
})
