import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { parseLocation, timeName } from './backup-location.ts'

test('reads the bucket, the prefix and the time of a backup from its location', () => {
  const at = (text: string) => {
    const location = parseLocation(text)
    return location.kind === 'folder' ? location.folder : [location.bucket, location.prefix, location.time]
  }
  const time = timeName(new Date('2026-01-31T02:00:00.123Z'))
  assert.equal(time, '2026-01-31T020000Z')
  assert.equal(at('backup/2026'), resolve('backup/2026'))
  assert.deepEqual(at('s3://backups'), ['backups', '', undefined])
  assert.deepEqual(at('s3://backups/a/b/'), ['backups', 'a/b/', undefined])
  assert.deepEqual(at(`s3://backups/${time}`), ['backups', '', time])
  assert.deepEqual(at(`s3://backups/a/${time}`), ['backups', 'a/', time])
  for (const text of ['s3://', 's3:///a', 's3://a b/c', 's3://backups/a//b', 's3://backups/a?b'])
    assert.throws(() => parseLocation(text), { code: 'backup.invalid_location' }, text)
})
