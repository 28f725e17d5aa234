import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { copyRelease, countWritingTransactions, future, releaseCalls } from '../../../test/releases.ts'
import { until } from '../../../test/until.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('publishes releases that are due at the same time in batches, and notifies each person once', async () => {
  const { db } = service.deps
  const tenant = await service.tenant()
  const { id: from } = await releaseCalls(service, tenant).create({ scheduled_for: future })
  const { group } = groupCalls(service, tenant)
  const groups = [
    await group(['ada@batch.example', 'grace@batch.example']),
    await group(['grace@batch.example', 'linus@batch.example']),
  ]
  await copyRelease(db, { from, prefix: 'batch-', count: 30 })
  await sql`insert into distribution_group_releases (distribution_group_id, release_id, workspace_id, notify)
    select distribution_group_id, id, workspace_id, true
    from releases, unnest(${groups}::text[]) as distribution_group_id where id like 'batch-%'`.execute(db)
  await sql`update releases set scheduled_for = now() where id like 'batch-%'`.execute(db)
  await until('all releases are published', async () => {
    const { rows } =
      await sql`select from releases where id like 'batch-%' and status = 'scheduled' limit 1`.execute(db)
    return rows.length === 0
  })
  const transactions = await countWritingTransactions(db, 'batch-')
  assert.ok(transactions <= 6, `30 releases in ${transactions} transactions`)
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', 'like', '%@batch.example')
    .execute()
  assert.equal(mails.length, 3 * 30)
})
