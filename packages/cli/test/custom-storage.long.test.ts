import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ApplicationStores, CustomStoreReport } from '@quayside/sdk'
import { testBucket, type S3Server } from '../../server/test/acceptance/test-storage.ts'
import { startS3Proxy } from '../../server/test/s3-proxy.ts'
import { missingS3Server, sharedS3Server } from '../../server/test/s3-server.ts'
import { jsonInProcess, runInProcess, type InProcessOptions } from './run-in-process.ts'
import { startService, type InProcessService } from './running-server.ts'

describe('quayside applications storage', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: InProcessService
  let secret: string
  const printed: string[] = []

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    secret = server.secretAccessKey
    proxy = await startS3Proxy(server.endpoint)
    service = await startService({ QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8' })
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })

  const run = async (application: string, [command = '', ...args]: string[], options?: InProcessOptions) => {
    const result = await runInProcess(
      service,
      ['applications', 'storage', command, application, ...args],
      options,
    )
    printed.push(result.stdout, result.stderr)
    return result
  }

  const stores = async (application: string) => {
    const { code, stdout, stderr } = await run(application, ['view', '--json'])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as ApplicationStores
  }

  async function createApplication(): Promise<string> {
    const name = `Game ${randomUUID()}`
    await jsonInProcess(service, ['applications', 'create', name, '--platform', 'linux'])
    return name
  }

  /** Returns the options that describe a new prefix of the test bucket. */
  const location = (endpoint = server.endpoint, prefix: string = randomUUID()) => [
    '--endpoint',
    endpoint,
    '--bucket',
    testBucket,
    '--prefix',
    prefix,
  ]
  const keys = ['--access-key-id', 'test', '--secret-stdin']

  const upload = async (application: string, bytes = randomBytes(1000)) => {
    await writeFile(join(service.folder, 'game-1.0.0.bin'), bytes)
    const args = ['upload', 'game-1.0.0.bin', '--application', application, '--no-scm']
    const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
    return { id: build_id, bytes }
  }

  test('downloads from a bucket only what changed', async () => {
    const name = await createApplication()
    const set = await run(name, ['set', ...location(), ...keys], { input: `${secret}\n` })
    assert.equal(set.code, 0, set.stderr)
    const old = randomBytes(2_000_000)
    const bytes = Buffer.concat([old.subarray(0, 1_000_000), randomBytes(1000), old.subarray(1_000_000)])
    await writeFile(join(service.folder, 'old.bin'), old)
    const { id } = await upload(name, bytes)
    await service.indexChunks(id)
    assert.equal((await stores(name)).store?.object_count, 2)
    const args = ['download', id, '--application', name, '--output', 'new.bin', '--reuse', 'old.bin']
    const { files } = await jsonInProcess<{ files: [{ received_bytes: number }] }>(service, args)
    assert.deepEqual(await readFile(join(service.folder, 'new.bin')), bytes)
    assert.ok(files[0].received_bytes < 600_000, `${files[0].received_bytes} bytes`)
  })

  test('sets a bucket, stores uploads in it, and disables, enables and removes it', async () => {
    const name = await createApplication()
    const empty = await run(name, ['view'])
    assert.equal(empty.stdout, 'New uploads go to the storage of the service. No custom store is set.\n')
    const prefix = randomUUID()
    const set = await run(name, ['set', ...location(server.endpoint, prefix), ...keys], {
      input: `${secret}\n`,
    })
    assert.equal(set.code, 0, set.stderr)
    assert.match(set.stdout, /^ok {7}reach {9}\S.+ responds/)
    assert.match(set.stdout, /^ok {7}cors /m)
    assert.match(set.stdout, /^All steps passed\.$/m)
    assert.match(set.stdout, /^New uploads {2}stored here$/m)

    const build = await upload(name)
    const { enabled, store } = await stores(name)
    assert.deepEqual(
      [enabled, store?.endpoint, store?.bucket, store?.prefix, store?.object_count, store?.total_bytes],
      [true, server.endpoint, testBucket, prefix, 1, 1000],
    )
    const download = ['download', build.id, '--application', name, '--output', 'downloaded', '--force']
    assert.equal((await runInProcess(service, download)).code, 0)
    assert.deepEqual(await readFile(join(service.folder, 'downloaded')), build.bytes)

    const disabled = await run(name, ['disable'])
    assert.match(disabled.stdout, /^New uploads {2}stored in the service$/m)
    const enabledAgain = await run(name, ['enable', '--json', 'enabled,store.prefix'])
    assert.deepEqual(JSON.parse(enabledAgain.stdout), { enabled: true, store: { prefix } })

    const unconfirmed = await run(name, ['remove'])
    assert.equal(unconfirmed.code, 2)
    assert.match(unconfirmed.stderr, /Add --yes to confirm\./)
    const declined = await run(name, ['remove'], { answers: ['n'] })
    assert.deepEqual([declined.code, (await stores(name)).store?.prefix], [1, prefix])
    const removed = await run(name, ['remove', '--yes'])
    assert.deepEqual([removed.code, removed.stdout.includes('1 file stays in the store')], [0, true])
    const left = await stores(name)
    assert.deepEqual([left.store, left.previous_stores.map((other) => other.prefix)], [null, [prefix]])
    assert.match((await run(name, ['view'])).stdout, /^Previous store:\nEndpoint /m)
    const unset = await run(name, ['enable'])
    assert.deepEqual([unset.code, unset.stdout], [1, ''])
  })

  test('reads the secret key from the environment or a prompt, and keeps the saved keys', async () => {
    const name = await createApplication()
    const options = location()
    const withKey = ['set', ...options, '--access-key-id', 'test']
    const fromEnvironment = await run(name, withKey, { env: { QUAYSIDE_STORE_SECRET_KEY: secret } })
    assert.equal(fromEnvironment.code, 0, fromEnvironment.stderr)
    // The option takes precedence over the environment.
    const wrong = await run(name, [...withKey, '--secret-stdin'], {
      env: { QUAYSIDE_STORE_SECRET_KEY: secret },
      input: 'wrong',
    })
    assert.equal(wrong.code, 1)
    const prompted = await run(name, withKey, { answers: [secret] })
    assert.equal(prompted.code, 0, prompted.stderr)
    assert.match(prompted.stderr, /^Secret key: \n/)
    const withoutKeys = await run(name, ['set', ...options, '--acl', 'none'])
    assert.equal(withoutKeys.code, 0, withoutKeys.stderr)
    assert.equal((await stores(name)).store?.acl, 'none')
    const { code, stdout } = await run(name, ['test', '--json'])
    const report = JSON.parse(stdout) as CustomStoreReport
    assert.deepEqual([code, report.passed, report.steps.length], [0, true, 10])
  })

  test('reports the failed step with what to do, saves nothing and exits with 1', async () => {
    const name = await createApplication()
    const args = ['set', ...location(), ...keys]
    const failed = await run(name, args, { input: `${secret}x` })
    assert.equal(failed.code, 1)
    assert.match(
      failed.stdout,
      /^FAILED {3}authenticate {2}The secret key does not belong to the access key\.\n {23}Correct the secret key\./m,
    )
    assert.match(failed.stdout, /^ok {7}reach /m)
    assert.match(failed.stdout, /^skipped {2}delete {8}Not tested, because an earlier step failed\.$/m)
    assert.match(failed.stdout, /^The test failed\.$/m)
    assert.equal(
      failed.stderr,
      'quayside: The store was not saved. Correct the failed steps and rerun the command.\n',
    )
    const asJson = await run(name, [...args, '--json'], { input: `${secret}x` })
    const report = JSON.parse(asJson.stdout) as CustomStoreReport
    assert.deepEqual(
      [asJson.code, report.passed, report.steps.map(({ state }) => state)],
      [1, false, ['passed', 'passed', 'failed', ...Array.from({ length: 7 }, () => 'skipped')]],
    )
    assert.equal((JSON.parse(asJson.stderr) as { kind: string }).kind, 'failed')
    assert.equal((await stores(name)).store, null)
  })

  test('reports a saved store that stops responding and other buckets without saving anything', async () => {
    const name = await createApplication()
    const saved = await run(name, ['set', ...location(proxy.url), ...keys], { input: secret })
    assert.equal(saved.code, 0, saved.stderr)
    proxy.stop('refuse')
    try {
      const { code, stdout, stderr } = await run(name, ['test'])
      assert.equal(code, 1)
      assert.match(stdout, /^FAILED {3}reach /m)
      assert.equal(stderr, 'quayside: The store cannot be used. Correct the failed steps.\n')
    } finally {
      proxy.heal()
    }
    const before = await stores(name)
    const other = await run(name, ['test', ...location(), ...keys], { input: secret })
    assert.deepEqual([other.code, await stores(name)], [0, before])
  })

  const mistakes: [args: string[], code: number, message: RegExp][] = [
    [['set'], 2, /A bucket is required\. Add --bucket\./],
    [['test', '--prefix', 'p'], 2, /A bucket is required\. Add --bucket\./],
    [['set', '--bucket', 'builds', '--secret-stdin'], 2, /--secret-stdin requires --access-key-id\./],
    [['set', '--bucket', 'builds', ...keys], 2, /Standard input contains no secret key\./],
    [['set', '--bucket', 'builds', '--acl', 'public'], 2, /Allowed choices are private/],
    [['test'], 1, /--bucket is required, because no store is saved\./],
    [['set', '--bucket', 'builds'], 1, /--region is required without `endpoint`\./],
    [
      ['set', '--bucket', 'builds'],
      1,
      /--access-key-id is required for a new endpoint\..*--secret-stdin is required/,
    ],
    [['set', '--bucket', 'builds', '--endpoint', 'nowhere'], 1, /--endpoint must be a URL without a path/],
    [['set', '--bucket', '_'], 1, /--bucket /],
    [['view', '--server', 'http://127.0.0.1:9'], 4, /127\.0\.0\.1:9/],
    [['view', '--key', 'qsw_unknown'], 3, /API key is invalid/],
  ]

  test('explains how to correct the arguments', async () => {
    const name = await createApplication()
    for (const [args, code, message] of mistakes) {
      const result = await run(name, args)
      assert.deepEqual([result.code, result.stdout], [code, ''], `${args.join(' ')}: ${result.stderr}`)
      assert.match(result.stderr, message)
    }
  })

  test('never prints the secret key', () => {
    assert.ok(printed.length > 0)
    assert.ok(!printed.some((text) => text.includes(secret)))
  })
})
