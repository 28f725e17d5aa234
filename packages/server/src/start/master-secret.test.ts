import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { storesInS3 } from '../../test/acceptance/test-storage.ts'
import { groupCalls, groupLink } from '../../test/distribution-groups.ts'
import { type Service, startOwnService, type Tenant } from '../../test/harness.ts'
import { put, requestUpload, uploadedBuild } from '../../test/uploading.ts'
import { createSecretBox } from '../crypto/secret-box.ts'

const first = 'first-master-secret-0123456789-abcdef'
const second = 'second-master-secret-0123456789-abcde'

describe('master secret from the environment', () => {
  let state: Service['state']
  let tenant: Tenant
  /** URLs without the origin of the service, because the port changes with each start. */
  let urls: { share: string; group: string; get: string }
  let staged: { url: string; headers: Record<string, string> }
  let grant: string
  let webhookId: string
  const email = 'tester@example.com'
  const password = 'open sesame'
  const replayed = { body: { name: 'nightly' }, headers: { 'idempotency-key': 'label-1' } }

  before(async () => {
    const service = await startOwnService({ environment: { QUAYSIDE_SECRET: first } })
    state = service.state
    tenant = await service.tenant()
    const { build } = await uploadedBuild(service, tenant)
    const share = await create(service, `/builds/${build.id}/share-links`, { password })
    const granted = await service.call('POST', `${share.url}/grants`, { key: null, body: { password } })
    grant = granted.body.data.grant
    const download = await service.call('POST', `${share.url}/downloads`, { key: null, body: { grant } })
    const hook = { url: 'https://example.com', event: 'build.created', secret: 'the first secret' }
    webhookId = (await create(service, '/webhooks', hook)).id
    await service.call('PATCH', `/applications/${tenant.applicationId}/webhooks/${webhookId}`, {
      key: tenant.workspaceKey,
      body: { secret: 'the second secret' },
    })
    assert.equal((await repeat(service)).status, 201)
    const calls = groupCalls(service, tenant)
    await calls.share(await calls.group([email]), await calls.release([build.id]))
    const pathOf = (url: string) => url.replace(service.url, '')
    urls = {
      share: pathOf(share.url),
      group: pathOf(await groupLink(service, tenant, email)),
      get: pathOf(download.body.primary_file.temp_url),
    }
    const { presigned_data } = (await requestUpload(service, tenant)).primary_file
    staged = { ...presigned_data, url: pathOf(presigned_data.url) }
    await service.stop()
  })
  after(() => state.remove())

  async function create(service: Service, path: string, body: object) {
    const url = `/applications/${tenant.applicationId}${path}`
    const created = await service.call('POST', url, { key: tenant.workspaceKey, body })
    assert.equal(created.status, 201, created.text)
    return created.body.data
  }
  const repeat = (service: Service) =>
    service.call('POST', `/applications/${tenant.applicationId}/labels`, {
      key: tenant.workspaceKey,
      ...replayed,
    })
  const start = async (
    environment: Record<string, string>,
    work?: (service: Service) => Promise<void>,
  ): Promise<void> => {
    const service = await startOwnService({ state, environment })
    try {
      await work?.(service)
    } finally {
      await service.stop()
    }
  }
  /** Returns the statuses of requests that depend on the master secret. */
  async function statuses(service: Service) {
    const send = async (url: string) => (await fetch(new URL(url, service.url))).status
    const withGrant = await service.call('POST', `${service.url}${urls.share}/downloads`, {
      key: null,
      body: { grant },
    })
    return {
      share: await send(urls.share),
      group: await send(urls.group),
      get: await send(urls.get),
      put: (await put({ ...staged, url: new URL(staged.url, service.url).href }, Buffer.alloc(1024))).status,
      grant: withGrant.status,
      replay: (await repeat(service)).status,
    }
  }
  async function webhookSecrets(service: Service, secret: string) {
    const row = await service.deps.db
      .selectFrom('webhooks')
      .select(['secret_encrypted', 'previous_secret_encrypted'])
      .where('id', '=', webhookId)
      .executeTakeFirstOrThrow()
    const box = createSecretBox(secret)
    return [row.secret_encrypted, row.previous_secret_encrypted].map((sealed) =>
      box.open(sealed ?? Buffer.of(), `webhook ${webhookId}`),
    )
  }
  const all = (status: number) => ({ share: status, group: status, get: status, put: status, grant: status })
  /** The status of URLs that were signed with a removed secret. URLs of files in S3 are signed with the keys of S3. */
  const oldUrl = storesInS3 ? 200 : 403

  test('refuses to start with a different secret and leaves stored values unchanged', async () => {
    for (const environment of [
      { QUAYSIDE_SECRET: second },
      { QUAYSIDE_SECRET: second, QUAYSIDE_SECRET_PREVIOUS: `not-${first}` },
    ])
      await assert.rejects(start(environment), {
        code: 'secret.other',
        message: /set QUAYSIDE_SECRET_PREVIOUS to the previous secret/,
      })
    await start({ QUAYSIDE_SECRET: first }, async (service) => {
      assert.deepEqual(await webhookSecrets(service, first), ['the second secret', 'the first secret'])
    })
  })

  test('keeps links, URLs and stored responses from the previous secret valid after a change', async () => {
    await start({ QUAYSIDE_SECRET: second, QUAYSIDE_SECRET_PREVIOUS: first }, async (service) => {
      assert.deepEqual(await statuses(service), { ...all(200), replay: 201 })
      assert.deepEqual(await webhookSecrets(service, second), ['the second secret', 'the first secret'])
    })
  })

  test('rejects links from the previous secret but still replays responses after that secret is removed', async () => {
    await start({ QUAYSIDE_SECRET: second }, async (service) => {
      assert.deepEqual(await statuses(service), {
        share: 404,
        group: 404,
        get: oldUrl,
        put: oldUrl,
        grant: 404,
        replay: 201,
      })
    })
    await assert.rejects(start({ QUAYSIDE_SECRET: first }), { code: 'secret.other' })
  })

  test('starts only one of two services with different secrets on a new database', async () => {
    const empty = await startOwnService()
    await empty.deps.db.deleteFrom('master_secret').execute()
    await empty.stop()
    const outcomes = await Promise.allSettled(
      [first, second].map((secret) =>
        startOwnService({ state: empty.state, environment: { QUAYSIDE_SECRET: secret } }),
      ),
    )
    const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    assert.equal(started.length, 1)
    await Promise.all(started.map((service) => service.stop()))
    await empty.state.remove()
  })
})

describe('master secret in the data folder', () => {
  let state: Service['state']
  let path: string
  let original: string
  before(async () => {
    const service = await startOwnService()
    state = service.state
    path = join(state.dataDir, 'secret')
    original = await readFile(path, 'utf8')
    await service.stop()
  })
  after(() => state.remove())
  const restart = async (environment: Record<string, string> = {}) =>
    (await startOwnService({ state, environment })).stop()

  const damaged = {
    empty: '',
    'too short': 'abcdefgh',
    repetitive: 'a'.repeat(43),
    'filled with null bytes': '\0'.repeat(43),
  }
  for (const [name, text] of Object.entries(damaged))
    test(`refuses to start when the secret file is ${name}`, async () => {
      await writeFile(path, text)
      await assert.rejects(restart(), { code: 'secret.damaged', message: /Restore the file from a backup/ })
      assert.equal(await readFile(path, 'utf8'), text)
      await writeFile(path, original)
    })

  test('refuses to start when the secret file is missing and does not create one', async () => {
    await rm(path)
    await assert.rejects(restart(), { code: 'secret.missing', message: /QUAYSIDE_SECRET_PREVIOUS=lost/ })
    await assert.rejects(readFile(path), { code: 'ENOENT' })
    await restart({ QUAYSIDE_SECRET: original.trim() })
  })

  test('creates a new secret file when QUAYSIDE_SECRET_PREVIOUS contains the previous secret', async () => {
    await restart({ QUAYSIDE_SECRET_PREVIOUS: original.trim() })
    const created = await readFile(path, 'utf8')
    assert.notEqual(created, original)
    await restart()
  })

  test('creates a new secret file when QUAYSIDE_SECRET_PREVIOUS is `lost`', async () => {
    await rm(path)
    await restart({ QUAYSIDE_SECRET_PREVIOUS: 'lost' })
    await restart()
  })
})
