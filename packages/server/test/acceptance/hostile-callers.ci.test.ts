import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bytesAt, expectOk, put, retryWhileUnavailable, type Client } from './client.ts'
import { content, sha256 } from './content.ts'
import type { Target } from './hostile-calls.ts'
import type { HostileInput, HostileOutcome } from './hostile-process.ts'
import { prepareService, type Service } from './npm-start.ts'

/** Duration of the attack in seconds. */
const seconds = Number(process.env['QUAYSIDE_HOSTILE_SECONDS'] ?? 5)
// The limit is generous, because the attackers run on the same cores as the service. If a call caused unbounded work,
// response times would grow with the attack and exceed any limit. Other tests that run at the same time slow down all of them.
const maxWaitMs = 5_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
/** The builds that another client must be able to upload and download during the attack. */
const minBuilds = Math.max(2, Math.ceil(seconds / 10))

const workspaceScopes = [
  ['workspace:write'],
  ['members:write'],
  ['applications:write'],
  ['builds:write'],
  ['releases:write'],
  ['share_links:write'],
  ['distribution_groups:write'],
  ['portals:write'],
  ['webhooks:write'],
  ['api_keys:write', 'builds:create'],
]
const applicationScopes = [
  ['application:write'],
  ['members:write'],
  ['builds:read'],
  ['builds:create'],
  ['builds:write'],
  ['releases:write'],
  ['share_links:create'],
  ['share_links:write'],
  ['webhooks:write'],
]

let service: Service

before(async () => {
  service = await prepareService({
    // The default rate limit applies to the attackers but not to the bootstrap key, which the measured client uses.
    settings: { QUAYSIDE_RATE_LIMIT: '600', QUAYSIDE_BOOTSTRAP_RATE_LIMIT: '0' },
  })
  await service.start()
})
after(() => service.remove())

type Created<T> = { data: T }
const create = async <T>(path: string, body: object): Promise<T> =>
  expectOk(await service.client.call<Created<T>>('POST', path, body)).data

const request = (client: Client, applicationId: string, sizeBytes: number) =>
  client.request(applicationId, { primary_file: { filename: 'app.bin', size_bytes: sizeBytes } })

async function createTarget(): Promise<{ target: Target; download: string }> {
  const { client } = service
  const { id: applicationId } = expectOk(await client.createApplication('Attacked')).data
  const first = expectOk(await request(client, applicationId, 5))
  await put(first.primary_file.presigned_data, content(1, 0, 5))
  const { build_id: buildId } = expectOk(await client.verify(first.pending_upload_id))
  const release = await create<{ id: string }>(`/applications/${applicationId}/releases`, {
    title: 'Release',
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
    build_ids: [buildId],
  })
  const links = `/applications/${applicationId}/builds/${buildId}/share-links`
  const guarded = await create<{ id: string; url: string }>(links, { password: 'unknown to the attackers' })
  const open = await create<{ url: string }>(links, {})
  const changed = await create<{ id: string }>(links, {})
  const group = await create<{ id: string }>('/distribution-groups', { name: 'Group' })
  const pending = expectOk(await request(client, applicationId, 5))
  const { primary_file } = expectOk(await client.download(applicationId, buildId))
  const target = {
    applicationId,
    buildId,
    releaseId: release.id,
    pendingUploadId: pending.pending_upload_id,
    putUrl: pending.primary_file.presigned_data.url,
    shareLinkId: changed.id,
    protectedUrl: guarded.url,
    openUrl: open.url,
    groupId: group.id,
  }
  return { target, download: primary_file.temp_url }
}

async function createKeys(applicationId: string): Promise<string[]> {
  const createIn = (path: string) => async (scopes: string[]) =>
    (await create<{ key: string }>(`${path}/api-keys`, { name: scopes.join(), scopes })).key
  return Promise.all([
    ...workspaceScopes.map(createIn('/workspace')),
    ...applicationScopes.map(createIn(`/applications/${applicationId}`)),
  ])
}

/**
 * Polls the URLs until `isOver` returns true. Returns each URL's longest response time and all failures. A request that has
 * waited in vain for a database connection is not a failure but as slow as its wait.
 */
async function watch(urls: Record<string, string>, isOver: () => boolean) {
  const longestMs: Record<string, number> = {}
  const failures: string[] = []
  const watchOne = async ([name, url]: [string, string]) => {
    for (let checks = 0; checks === 0 || !isOver(); checks++) {
      const started = performance.now()
      const response = await fetch(url, { signal: AbortSignal.timeout(30_000) })
      const text = await response.text()
      longestMs[name] = Math.max(longestMs[name] ?? 0, performance.now() - started)
      if (response.status !== 200 && !text.includes('"database.busy"'))
        failures.push(`${name} ${response.status} ${text}`)
      await pause(20)
    }
  }
  await Promise.all(Object.entries(urls).map(watchOne))
  return { longestMs, failures }
}

/**
 * Uploads and downloads builds as a CI client does until `isOver` returns true. Calls `onEnough` after `minBuilds`.
 * Returns the number of builds.
 */
async function uploadAndDownload(
  applicationId: string,
  isOver: () => boolean,
  onEnough: () => void,
): Promise<number> {
  const { client } = service
  let builds = 0
  for (; !isOver(); builds++) {
    if (builds === minBuilds) onEnough()
    const bytes = content(builds, 0, 1_000_000)
    const upload = expectOk(await retryWhileUnavailable(() => request(client, applicationId, bytes.length)))
    const { presigned_data } = upload.primary_file
    const stored = await retryWhileUnavailable(() => put(presigned_data, bytes))
    assert.equal(stored.status, 200, stored.text)
    const { build_id } = expectOk(await retryWhileUnavailable(() => client.verify(upload.pending_upload_id)))
    const links = expectOk(await retryWhileUnavailable(() => client.download(applicationId, build_id)))
    assert.equal(sha256(await bytesAt(links.primary_file.temp_url)), sha256(bytes))
  }
  return builds
}

/** Attacks the service for `input.seconds`, and then until `mayEnd` resolves. */
async function attack(input: HostileInput, mayEnd: Promise<void>): Promise<HostileOutcome> {
  const attackers = fork(new URL('./hostile-process.ts', import.meta.url), { execArgv: [] })
  const exited = once(attackers, 'exit')
  const finished = once(attackers, 'message') as Promise<[HostileOutcome]>
  attackers.send(input)
  void mayEnd.then(() => attackers.connected && attackers.send('end'))
  const [outcome] = await Promise.race([
    finished,
    exited.then(([code]) => Promise.reject(new Error(`the attackers exited with code ${code}`))),
  ])
  await exited
  return outcome
}

test('stays healthy and serves other applications during attacks with keys of every scope and without a key', async (t) => {
  const { target, download } = await createTarget()
  const keys = await createKeys(target.applicationId)
  const { id: otherId } = expectOk(await service.client.createApplication('Other')).data
  let isOver = false
  const enough = Promise.withResolvers<void>()
  const attacking = attack({ url: service.url, keys, target, seconds }, enough.promise).finally(() => {
    isOver = true
  })
  const [outcome, health, builds] = await Promise.all([
    attacking,
    watch({ livez: `${service.url}/livez`, readyz: `${service.url}/readyz`, download }, () => isOver),
    uploadAndDownload(otherId, () => isOver, enough.resolve),
  ])
  t.diagnostic(JSON.stringify({ health, builds, outcome }))

  assert.deepEqual(health.failures, [])
  for (const [name, ms] of Object.entries(health.longestMs))
    assert.ok(ms < maxWaitMs, `${name} took up to ${Math.round(ms)} ms`)
  assert.ok(builds >= minBuilds, `${builds} builds were uploaded and downloaded`)
  // A hostile call may be rejected with a client error or with 503, but must never cause an internal error (500).
  for (const [name, counts] of Object.entries(outcome))
    assert.deepEqual([name, counts['500']], [name, undefined])
  assert.ok((outcome['create password link']?.['201'] ?? 0) > 0, 'the attackers reached the expensive code')
  assert.ok((outcome['guess password']?.['403'] ?? 0) <= 5, 'one address checked more than five passwords')
  assert.equal((await service.client.builds(otherId)).total, builds)
})
