import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { requireGroupId } from './group-id.ts'

test('finds a group by its name or its ID', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-groups-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'group')
  await writeFile(file, 'root:x:0:\nwww:x:32:\nwww-data:x:33:deploy,quayside\nbroken\n')
  assert.equal(await requireGroupId('www-data', file), 33)
  assert.equal(await requireGroupId('101', file), 101)
  for (const unknown of ['www-dat', 'broken', 'x'])
    await assert.rejects(requireGroupId(unknown, file), /has no such group\. Use the name of a group/)
  await assert.rejects(requireGroupId('www-data', join(folder, 'missing')), /has no such group/)
})
