import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { maxConnections } from './connection-limit.ts'

test('reserves descriptors for the database and for one file per connection', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-limits-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'limits')
  const withLimit = async (limit: string) => {
    await writeFile(
      file,
      `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${limit}                 524288               files\n`,
    )
    return maxConnections(file)
  }
  assert.equal(await withLimit('1024'), 448)
  assert.equal(await withLimit('256'), 64)
  assert.equal(await withLimit('64'), 16)
  assert.equal(await withLimit('unlimited'), undefined)
  assert.equal(await maxConnections(join(folder, 'none')), undefined)
})
