import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { testBucket } from '../../../test/acceptance/test-storage.ts'
import { sharedS3Server } from '../../../test/s3-server.ts'
import type { S3Settings } from '../../config/storage.ts'
import { createS3Calls } from './s3-client.ts'
import { createS3Driver } from './s3-driver.ts'
import { s3Layout } from './s3-layout.ts'
import type { FindCompletedUpload } from './s3-sweep.ts'

type TestContext = { after(work: () => Promise<void>): void }

/** Returns the settings for a prefix of its own in the bucket of the tests. */
export async function createS3Settings(): Promise<S3Settings> {
  const { server } = await sharedS3Server()
  const { endpoint, ...credentials } = server
  return {
    bucket: testBucket,
    region: 'us-east-1',
    endpoint,
    publicEndpoint: undefined,
    credentials,
    forcePathStyle: true,
    prefix: `${randomUUID()}/`,
    acl: 'private',
  }
}

type Options = Partial<S3Settings> & { now?: () => Date; findCompletedUpload?: FindCompletedUpload }

/** Opens a driver on a prefix of its own and closes it after the test. */
export async function openS3Driver(t: TestContext, options: Options = {}) {
  const { now = () => new Date(), findCompletedUpload, ...overrides } = options
  const settings = { ...(await createS3Settings()), ...overrides }
  const driver = createS3Driver({
    settings,
    clock: { now },
    log: pino({ level: 'silent' }),
    ...(findCompletedUpload && { findCompletedUpload }),
  })
  const calls = createS3Calls(settings)
  t.after(async () => {
    calls.close()
    await driver.close()
  })
  return {
    driver,
    settings,
    /** Access to the bucket without the driver. */
    store: { calls, layout: s3Layout(settings.prefix) },
    commit: () => {},
  }
}
