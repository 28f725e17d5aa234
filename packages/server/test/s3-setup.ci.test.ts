import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../src/config/config.ts'
import { setUpBucket, type SetupStep } from '../src/storage/s3/s3-setup.ts'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'

describe('setup of a bucket', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  before(async () => {
    ;({ server, release } = await sharedS3Server())
  })
  after(() => release())

  async function setUp(environment: Record<string, string>) {
    const settings = readConfig({ ...s3Environment(server), ...environment }).storage
    assert.ok(settings.kind === 's3')
    const steps: SetupStep[] = []
    const passed = await setUpBucket({
      settings,
      origin: 'https://builds.example.com',
      log: pino({ level: 'silent' }),
      onStep: (step) => void steps.push(step),
    })
    return { passed, steps }
  }

  test('creates a missing bucket, allows the console to upload and can be repeated', async () => {
    const bucket = { QUAYSIDE_S3_BUCKET: `setup-${randomUUID()}` }
    const first = await setUp(bucket)
    assert.ok(first.passed, JSON.stringify(first.steps))
    assert.deepEqual(
      first.steps.map(({ name }) => name),
      ['bucket', 'upload with one PUT', 'upload in parts', 'lists and health check', 'CORS'],
    )
    assert.equal(first.steps[0]?.detail, 'created')
    const second = await setUp(bucket)
    assert.ok(second.passed)
    assert.equal(second.steps[0]?.detail, 'exists')
  })

  const failures = {
    'an unknown access key': [{ QUAYSIDE_S3_ACCESS_KEY_ID: 'unknown' }, /QUAYSIDE_S3_ACCESS_KEY_ID/],
    'a wrong secret key': [{ QUAYSIDE_S3_SECRET_ACCESS_KEY: 'wrong' }, /QUAYSIDE_S3_SECRET_ACCESS_KEY/],
    'an unreachable store': [{ QUAYSIDE_S3_ENDPOINT: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
  } as const
  for (const [description, [environment, reason]] of Object.entries(failures))
    test(`stops at ${description} and names the reason`, async () => {
      const { passed, steps } = await setUp(environment)
      assert.deepEqual([passed, steps.length], [false, 1])
      assert.match(steps[0]?.detail ?? '', reason)
    })
})
