import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '@quayside/sdk'
import { auditCsv } from './audit-csv.ts'

const entry: AuditEntry = {
  id: '1',
  action: 'stream.updated',
  subject: { type: 'stream', id: 'st1' },
  actor: { kind: 'user', id: 'u1', name: 'Ana "Anita" Ruiz, Ops' },
  address: '198.51.100.17',
  application_id: null,
  before: { retention_days: 30 },
  after: { retention_days: null },
  created_at: '2026-11-22T10:00:00.000000Z',
}

test('writes one quoted row per audit entry', () => {
  const [header, row, end] = auditCsv([entry]).split('\r\n')
  assert.match(header ?? '', /^\u{FEFF}created_at,actor,/u)
  assert.equal(
    row,
    '2026-11-22T10:00:00.000000Z,"Ana ""Anita"" Ruiz, Ops",user,u1,stream.updated,stream,st1,,198.51.100.17,"{""retention_days"":30}","{""retention_days"":null}"',
  )
  assert.equal(end, '')
})

test('keeps spreadsheets from running a name as a formula', () => {
  const actor = { ...entry.actor, name: '=HYPERLINK("https://example.com")' }
  assert.ok(auditCsv([{ ...entry, actor }]).includes(`,"'=HYPERLINK(""https://example.com"")",`))
})
