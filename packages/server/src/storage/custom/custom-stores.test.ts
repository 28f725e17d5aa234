import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startService, type Service } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { connectDatabase } from '../../database/connect.ts'
import { createAddressRules } from '../../net/address-rules.ts'
import type { S3Driver } from '../s3/s3-driver.ts'
import { createCustomStores } from './custom-stores.ts'

const log = pino({ level: 'silent' })
const id = 'reopened00'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('keeps the driver of a store while its settings cannot be read', async () => {
  const { db, clock, secretBox } = service.deps
  const { applicationId } = await service.tenant()
  const hasty = connectDatabase({
    connection: service.state.connection,
    maxConnections: 1,
    log,
    lockTimeoutSeconds: 0.1,
  })
  const created: S3Driver[] = []
  const stores = createCustomStores({
    db: hasty.db,
    secretBox,
    findInstallationId: async () => undefined,
    rules: createAddressRules([]),
    publicUrl: service.url,
    clock,
    log,
    observe: (driver) => {
      created.push(driver)
      return driver
    },
  })
  try {
    await db
      .insertInto('custom_stores')
      .values({
        id,
        application_id: applicationId,
        endpoint: 'https://s3.example.com',
        region: 'eu-central-1',
        bucket: 'builds',
        prefix: '',
        force_path_style: true,
        credentials_encrypted: stores.sealCredentials(id, { accessKeyId: 'key', secretAccessKey: 'secret' }),
      })
      .execute()
    const canOpen = () =>
      stores.open(id).then(
        () => true,
        () => false,
      )
    assert.ok(await canOpen())
    const locked = await db.startTransaction().execute()
    await sql`lock table custom_stores`.execute(locked)
    try {
      await until('the settings cannot be read', async () => !(await canOpen()))
    } finally {
      await locked.rollback().execute()
    }
    await until('the settings are read again', canOpen)
    assert.equal(created.length, 1)
  } finally {
    await stores.close()
    await hasty.close()
    await db.deleteFrom('custom_stores').where('id', '=', id).execute()
  }
})
