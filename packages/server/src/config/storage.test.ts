import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'

describe('settings of S3', () => {
  const bucket = { QUAYSIDE_STORAGE: 's3', QUAYSIDE_S3_BUCKET: 'builds' }
  const keys = { QUAYSIDE_S3_ACCESS_KEY_ID: 'AKIA', QUAYSIDE_S3_SECRET_ACCESS_KEY: 'a-secret-key' }

  test('addresses the bucket of AWS by host name and of another store by path', () => {
    assert.deepEqual(readConfig({ ...bucket, AWS_REGION: 'eu-west-1' }).storage, {
      kind: 's3',
      bucket: 'builds',
      region: 'eu-west-1',
      endpoint: undefined,
      publicEndpoint: undefined,
      credentials: undefined,
      forcePathStyle: false,
      prefix: '',
      acl: 'bucket-owner-full-control',
    })
    const other = {
      ...bucket,
      ...keys,
      QUAYSIDE_S3_ENDPOINT: 'http://minio:9000/',
      QUAYSIDE_S3_PUBLIC_ENDPOINT: 'https://s3.example.com',
      QUAYSIDE_S3_PREFIX: '/quayside/files/',
    }
    assert.deepEqual(readConfig(other).storage, {
      kind: 's3',
      bucket: 'builds',
      region: 'us-east-1',
      endpoint: 'http://minio:9000',
      publicEndpoint: 'https://s3.example.com',
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'a-secret-key' },
      forcePathStyle: true,
      prefix: 'quayside/files/',
      acl: 'private',
    })
  })

  const invalid = {
    QUAYSIDE_S3_BUCKET: 'a bucket',
    QUAYSIDE_S3_ENDPOINT: 'minio:9000/path',
    QUAYSIDE_S3_PREFIX: 'a//b',
    QUAYSIDE_S3_ACL: 'public-read',
    QUAYSIDE_S3_FORCE_PATH_STYLE: 'yes',
  }
  for (const [name, value] of Object.entries(invalid))
    test(`rejects ${name}=${value}`, () => {
      const settings = { ...bucket, ...keys, QUAYSIDE_S3_REGION: 'eu-west-1', [name]: value }
      assert.throws(() => readConfig(settings), new RegExp(name))
    })

  test('rejects incomplete settings without quoting the secret key', () => {
    assert.throws(
      () => readConfig({ QUAYSIDE_STORAGE: 's3', QUAYSIDE_S3_SECRET_ACCESS_KEY: 'a-secret-key' }),
      ({ message }: Error) =>
        ['_BUCKET is required', '_REGION is required', '_ACCESS_KEY_ID and'].every((text) =>
          message.includes(text),
        ) && !message.includes('a-secret-key'),
    )
  })

  test('ignores the settings of S3 when files are stored in the data folder', () => {
    assert.deepEqual(readConfig({ QUAYSIDE_S3_BUCKET: 'builds' }).storage, { kind: 'local' })
  })

  test('takes missing settings of the previous bucket from the current one, except the prefix', () => {
    const both = {
      ...bucket,
      ...keys,
      QUAYSIDE_S3_ENDPOINT: 'http://minio:9000',
      QUAYSIDE_S3_PREFIX: 'new',
      QUAYSIDE_STORAGE_PREVIOUS: 's3',
    }
    const { storage, previousStorage } = readConfig(both)
    assert.deepEqual(previousStorage, { ...storage, prefix: '' })
    const elsewhere = readConfig({
      ...both,
      QUAYSIDE_S3_PREVIOUS_ENDPOINT: 'https://s3.example.com',
      QUAYSIDE_S3_PREVIOUS_BUCKET: 'old',
    }).previousStorage
    assert.ok(elsewhere?.kind === 's3')
    assert.deepEqual([elsewhere.endpoint, elsewhere.bucket], ['https://s3.example.com', 'old'])
  })

  test('rejects a previous storage that is the current one', () => {
    const both = { ...bucket, QUAYSIDE_S3_REGION: 'eu-west-1', QUAYSIDE_STORAGE_PREVIOUS: 's3' }
    assert.throws(() => readConfig(both), /QUAYSIDE_S3_PREVIOUS_BUCKET, QUAYSIDE_S3_PREVIOUS_PREFIX or/)
    assert.throws(
      () => readConfig({ QUAYSIDE_STORAGE_PREVIOUS: 'local' }),
      /must differ from QUAYSIDE_STORAGE/,
    )
  })
})
