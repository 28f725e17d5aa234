import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { openBackupBucket } from '../src/operations/backup/backup-bucket.ts'
import { timeName } from '../src/operations/backup/backup-location.ts'
import { deleteOldBackups } from '../src/operations/backup/delete-old-backups.ts'
import { appendDigest } from '../src/operations/backup/file-digest.ts'
import { s3Environment, testBucket, type S3Server } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { startOwnService, type Service } from './harness.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { createTestClient, missingS3Server, sharedS3Server } from './s3-server.ts'
import { until } from './until.ts'
import { uploadedBuild, uploadedInParts, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

const program = join(import.meta.dirname, '../bin/quayside-server.js')
const backups = Number(process.env['QUAYSIDE_BACKUPS'] ?? 1)

describe('backups of files in S3 and backups in a bucket', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  let service: Service
  let fixture: Fixture
  let parent: string
  let uploaded: { build: { id: string }; bytes: Uint8Array }[]

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    parent = await mkdtemp(join(tmpdir(), 'quayside-backup-s3-'))
    service = await startOwnService({ environment: { QUAYSIDE_STORAGE: 'local' } })
    fixture = await createFixture(service)
    uploaded = [await uploadedBuild(service, fixture), await uploadedInParts(service, fixture)]
  })
  after(async () => {
    await service.close()
    await rm(parent, { recursive: true, force: true })
    await release()
  })

  /** Runs a command with the data folder as storage, unless `environment` selects another. */
  const run: typeof runAdmin = (from, args, environment) =>
    runAdmin(from, args, { QUAYSIDE_STORAGE: 'local', ...environment })

  async function succeed(from: Pick<Service, 'dataDir' | 'state'>, args: string[], environment = {}) {
    const { code, stdout, stderr } = await run(from, args, environment)
    assert.equal(code, 0, stdout + stderr)
    return stdout
  }

  /** Restores a backup to the storage in `environment`, checks it, and returns a service that runs on it. */
  async function restore(location: string, storage: Record<string, string>, settings = {}) {
    const { connection, drop } = await cloneDatabase('template1')
    const dataDir = join(parent, randomUUID())
    const environment = { ...storage, QUAYSIDE_DATA_DIR: dataDir, DATABASE_URL: databaseUrl(connection) }
    await succeed(service, ['restore', location], { ...environment, ...settings })
    assert.match(await succeed(service, ['fsck', '--deep'], environment), /No damage found/)
    const restored = await startOwnService({ environment })
    const close = () => restored.close().finally(drop)
    return { restored, environment, close }
  }

  /** Uploads builds until the signal is aborted, but at least one. */
  async function uploadUntil(signal: AbortSignal): Promise<void> {
    for (let count = 0; count === 0 || !signal.aborted; count++)
      await uploadedBuild(service, fixture, versionOf(3, Math.floor(count / 1000), count % 1000))
  }

  async function assertSameBuilds({ call }: Service, expected = uploaded): Promise<void> {
    for (const { build, bytes } of expected) {
      const path = `/applications/${fixture.applicationId}/builds/${build.id}/download`
      const { status, body, text } = await call('GET', path, { key: fixture.applicationKey })
      assert.equal(status, 200, text)
      const received = await (await fetch(body.primary_file.temp_url)).arrayBuffer()
      assert.ok(Buffer.from(received).equals(bytes), build.id)
    }
  }

  test('restores a backup of a data folder to S3, and a backup of S3 to a data folder', async () => {
    const folder = join(parent, 'of-folder')
    await succeed(service, ['backup', folder])
    const onS3 = await restore(folder, s3Environment(server))
    const ofBucket = join(parent, 'of-bucket')
    try {
      await assertSameBuilds(onS3.restored)
      await succeed(service, ['backup', ofBucket], onS3.environment)
      const again = join(parent, 'of-bucket-again')
      await succeed(service, ['backup', again, '--previous', ofBucket], onS3.environment)
      const refused = await run(service, ['restore', folder], {
        ...onS3.environment,
        QUAYSIDE_DATA_DIR: join(parent, 'refused'),
      })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /contains the files of an installation/)
    } finally {
      await onS3.close()
    }
    const local = await restore(join(parent, 'of-bucket-again'), { QUAYSIDE_STORAGE: 'local' })
    try {
      await assertSameBuilds(local.restored)
      await uploadedBuild(local.restored, fixture)
    } finally {
      await local.close()
    }
  })

  const toBucket = () => ({
    QUAYSIDE_BACKUP_S3_ENDPOINT: server.endpoint,
    QUAYSIDE_BACKUP_S3_ACCESS_KEY_ID: server.accessKeyId,
    QUAYSIDE_BACKUP_S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  })
  const placeOf = (stdout: string) => /The backup is in (\S+):/.exec(stdout)?.[1] ?? ''
  const sentFiles = (stdout: string) => Number(/New files sent to the bucket: (\d+)/.exec(stdout)?.[1])

  test('sends only new files to a bucket, and restores its backups to S3 and to a data folder', async () => {
    const location = `s3://${testBucket}/backups-${randomUUID()}`
    const first = await succeed(service, ['backup', location], toBucket())
    assert.ok(sentFiles(first) >= uploaded.length, first)
    const loaded = new AbortController()
    const loading = uploadUntil(loaded.signal)
    const acknowledged: typeof uploaded = []
    const taken: { backup: string; expected: typeof uploaded }[] = []
    try {
      for (let count = 0; count < backups; count++) {
        acknowledged.push(await uploadedBuild(service, fixture))
        const stdout = await succeed(service, ['backup', location], toBucket())
        assert.ok(sentFiles(stdout) >= 1, stdout)
        taken.push({ backup: placeOf(stdout), expected: [...uploaded, ...acknowledged] })
      }
    } finally {
      loaded.abort()
      await loading
    }
    for (const { backup, expected } of taken) {
      const onS3 = await restore(backup, s3Environment(server), toBucket())
      await assertSameBuilds(onS3.restored, expected).finally(() => onS3.close())
    }
    const local = await restore(placeOf(first), { QUAYSIDE_STORAGE: 'local' }, toBucket())
    try {
      await assertSameBuilds(local.restored)
    } finally {
      await local.close()
    }
  })

  test('resumes an interrupted backup to a bucket, and names a damaged file of a backup', async () => {
    const prefix = `backups-${randomUUID()}`
    const location = `s3://${testBucket}/${prefix}`
    const client = createTestClient(server)
    const complete = await succeed(service, ['backup', location], toBucket())
    const listed = await client.send(new ListObjectsV2Command({ Bucket: testBucket, Prefix: `${prefix}/` }))
    const names = (listed.Contents ?? []).flatMap(({ Key }) => Key ?? [])
    const remove = (name = '') => client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: name }))
    const files = names.filter((name) => name.startsWith(`${prefix}/files/`))
    assert.equal(files.length, sentFiles(complete))
    // The manifest is written last, so that an interrupted backup lacks it.
    await remove(names.find((name) => name.endsWith('/backup.json')))
    await remove(files[0])
    const missing = await run(service, ['restore', location], {
      ...toBucket(),
      QUAYSIDE_DATA_DIR: join(parent, 'incomplete'),
    })
    assert.match(missing.stderr, /is not a complete backup/)
    assert.equal(sentFiles(await succeed(service, ['backup', location], toBucket())), 1)

    const damaged = files[1] ?? ''
    const object = { Bucket: testBucket, Key: damaged }
    const { Body } = await client.send(new GetObjectCommand(object))
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array()
    bytes[0] = (bytes[0] ?? 0) ^ 1
    await client.send(new PutObjectCommand({ ...object, Body: bytes }))
    const { connection, drop } = await cloneDatabase('template1')
    const { code, stderr } = await run(service, ['restore', location], {
      ...toBucket(),
      QUAYSIDE_DATA_DIR: join(parent, 'damaged'),
      DATABASE_URL: databaseUrl(connection),
    })
    await drop()
    client.destroy()
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`${damaged.split('/').at(-1)} is missing or damaged`))
  })

  test('resumes a killed restore from a bucket to S3, also after a newer backup was made', async () => {
    for (let minor = 0; minor < 6; minor++) await uploadedBuild(service, fixture, versionOf(4, minor))
    const location = `s3://${testBucket}/backups-${randomUUID()}`
    const backup = placeOf(await succeed(service, ['backup', location], toBucket()))
    const requested = new Set<string>()
    let maxFiles = 6
    const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) => {
      const key = /\/files\/([\w-]{36})/.exec(url)?.[1]
      if (method === 'GET' && key !== undefined) requested.add(key)
      return requested.size > maxFiles ? 'hang' : undefined
    })
    const prefix = randomUUID()
    const { connection, drop } = await cloneDatabase('template1')
    const environment = {
      ...s3Environment(server, prefix),
      QUAYSIDE_DATA_DIR: join(parent, randomUUID()),
      DATABASE_URL: databaseUrl(connection),
    }
    const settings = { ...environment, ...toBucket(), QUAYSIDE_BACKUP_S3_ENDPOINT: proxy.url }
    const client = createTestClient(server)
    try {
      const child = spawn(process.execPath, [program, 'admin', 'restore', location], {
        env: { ...process.env, ...settings },
        stdio: 'ignore',
      })
      const exited = once(child, 'exit')
      await until('the restore waits for a file', () => requested.size > maxFiles || child.exitCode !== null)
      child.kill('SIGKILL')
      assert.deepEqual(await exited, [null, 'SIGKILL'])
      proxy.heal()
      const listed = await client.send(
        new ListObjectsV2Command({ Bucket: testBucket, Prefix: `${prefix}/objects/` }),
      )
      const restoredKeys = (listed.Contents ?? []).map(({ Key = '' }) => Key.split('/').at(-1) ?? '')
      assert.ok(restoredKeys.length > 0)

      assert.notEqual(placeOf(await succeed(service, ['backup', location], toBucket())), backup)
      maxFiles = Infinity
      requested.clear()
      const { code, stderr } = await runAdmin(service, ['restore', location], settings)
      assert.equal(code, 0, stderr)
      assert.ok(stderr.startsWith(`Resuming the interrupted restore of ${backup}.\n`), stderr)
      assert.ok(requested.size > 0)
      assert.deepEqual(
        restoredKeys.filter((key) => requested.has(key)),
        [],
      )
      assert.match(await succeed(service, ['fsck', '--deep'], environment), /No damage found/)
    } finally {
      client.destroy()
      await drop()
      await proxy.close()
    }
  })

  test('deletes old backups in a bucket, and files that no other backup contains after a day', async () => {
    const location = { bucket: testBucket, prefix: `backups-${randomUUID()}/` }
    const { endpoint, ...credentials } = server
    const settings = { endpoint, credentials, region: 'us-east-1', forcePathStyle: true }
    const bucket = openBackupBucket(settings, location)
    const day = (number: number) => new Date(Date.now() + number * 24 * 60 * 60 * 1000)
    async function backUp(now: Date, keys: string[]): Promise<string> {
      const time = timeName(now)
      for (const key of keys) await bucket.saveFile(key, appendDigest(Readable.from([Buffer.from(key)])))
      await bucket.saveText(time, 'files', keys.map((key) => `${key}\n`).join(''))
      await bucket.saveText(time, 'backup.json', '{}')
      return time
    }
    try {
      await backUp(day(0), ['only-in-first', 'shared'])
      const second = await backUp(day(8), ['shared', 'only-in-second'])
      assert.equal(await deleteOldBackups(bucket, { keepDays: 9, now: day(8) }), 0)
      assert.equal(await deleteOldBackups(bucket, { keepDays: 7, now: day(8) }), 1)
      assert.deepEqual(await bucket.listBackups(), [{ time: second, isComplete: true }])
      const keys: string[] = []
      for await (const { key } of bucket.listFiles()) keys.push(key)
      assert.deepEqual(keys, ['only-in-second', 'shared'])
      assert.equal(await deleteOldBackups(bucket, { keepDays: 1, now: day(30) }), 0)
    } finally {
      bucket.close()
    }
  })

  test('explains why a bucket cannot be used', async () => {
    const backup = (location: string, environment: Record<string, string>) =>
      run(service, ['backup', location], environment)
    const unknown = await backup('s3://no-such-bucket/x', toBucket())
    assert.match(unknown.stderr, /s3:\/\/no-such-bucket\/x cannot be used \(NoSuchBucket\)/)
    const denied = await backup(`s3://${testBucket}/x`, {
      ...toBucket(),
      QUAYSIDE_BACKUP_S3_SECRET_ACCESS_KEY: 'incorrect',
    })
    assert.match(denied.stderr, /cannot be used \(.*403.*\)\. Check the name of the bucket/)
    const prefix = randomUUID()
    const own = { ...toBucket(), ...s3Environment(server, prefix), QUAYSIDE_STORAGE_PREVIOUS: 'local' }
    const refused = await backup(`s3://${testBucket}/${prefix}`, own)
    assert.match(refused.stderr, /contains the files of the server/)
  })
})
