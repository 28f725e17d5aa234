import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('accepts a new migration but rejects a changed or missing released migration', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-released-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, '../packages/server/migrations'), folder, { recursive: true })
  const check = () => {
    const script = join(import.meta.dirname, 'check-migrations.ts')
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
    return { status, stderr }
  }
  writeFileSync(join(folder, '9999-new.sql'), 'select 1;\n')
  assert.deepEqual(check(), { status: 0, stderr: '' })

  appendFileSync(join(folder, '0044-baseline.sql'), '-- a comment\n')
  const changed = check()
  assert.equal(changed.status, 1)
  assert.match(changed.stderr, /^0044-baseline\.sql is released but changed\. Restore it/)

  rmSync(join(folder, '0044-baseline.sql'))
  assert.match(check().stderr, /^0044-baseline\.sql is released but missing/)
})
