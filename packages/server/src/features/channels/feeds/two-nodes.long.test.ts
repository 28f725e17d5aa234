import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channelCalls, readFeed } from '../../../../test/channels.ts'
import { debianPackage } from '../../../../test/debian-package.ts'
import { publishInEveryFormat, versionsAt } from '../../../../test/every-format.ts'
import { startOwnService, type Service } from '../../../../test/harness.ts'
import { until } from '../../../../test/until.ts'
import { formatIds } from '../adapters/formats.ts'
import { formatFixtures } from '../adapters/samples/formats.fixture.ts'

let first: Service
let second: Service

before(async () => {
  first = await startOwnService()
  second = await startOwnService({ state: first.state })
})
after(async () => {
  await second.stop()
  await first.close()
})

const withinASecond = { withinMs: 1_000 }

test('stops a version in every format on both nodes within a second', async () => {
  const platforms = Object.values(formatFixtures).flatMap(({ builds }) =>
    builds('1.0.0').map(({ platform }) => platform),
  )
  const tenant = await first.tenant({ platforms: [...new Set(platforms)] })
  const calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', formats: formatIds })
  for (const major of [1, 2]) await publishInEveryFormat(first, tenant, [major, 0, 0])
  const formatsWith = async (version: string) => {
    const found = await Promise.all(
      [first, second].flatMap(({ url }) =>
        formatIds.map(async (format) => {
          const versions = await versionsAt(`${url}/u/${channel.id}`, format)
          return versions.includes(version) ? [`${format} at ${url}`] : []
        }),
      ),
    )
    return found.flat()
  }
  const everywhere = [first, second].flatMap(({ url }) => formatIds.map((format) => `${format} at ${url}`))
  const settles = async (expected: string[], options?: { withinMs: number }) => {
    let found: string[] = []
    await until(
      `${expected.length} feeds offer 2.0.0`,
      async () => (found = await formatsWith('2.0.0')).length === expected.length,
      options,
    ).catch((error: unknown) => {
      assert.deepEqual(found, expected)
      throw error
    })
  }
  const rollout = `/applications/${tenant.applicationId}/channels/${channel.id}/rollout`
  const move = (service: Service, state: string) =>
    service.call('PATCH', rollout, { key: tenant.workspaceKey, body: { version: '2.0.0', state } })
  await settles(everywhere)
  assert.equal((await move(second, 'stopped')).status, 200)
  await settles([], withinASecond)
  assert.equal((await move(first, 'active')).status, 200)
  await settles(everywhere, withinASecond)
})

test('serves the same signed index on both nodes, signs it once, and keeps the previous one', async () => {
  const tenant = await first.tenant({ platforms: ['linux'] })
  const calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', formats: ['apt'] })
  const upload = (version: string, major: number) =>
    calls.uploadPackage([major, 0, 0], {
      filename: `harbor-${version}.deb`,
      bytes: debianPackage({ Package: 'harbor', Version: version, Architecture: 'amd64' }),
    })
  const read = async (path: string) =>
    Promise.all([first, second].map(({ url }) => readFeed(`${url}/u/${channel.id}/apt/${path}`)))
  const inRelease = async () => (await read('dists/stable/InRelease')).map(({ text }) => text)
  const packages = async () =>
    (await read('dists/stable/main/binary-amd64/Packages.gz'))[0]?.headers.get('etag')
  await upload('1.0.0', 1)
  await until('both nodes have the same index', async () => new Set(await inRelease()).size === 1)
  const [before = ''] = await inRelease()
  const empty = await packages()
  const hashes = (text: string) =>
    [...text.matchAll(/ ([0-9a-f]{64}) \d+ .*amd64\/Packages\.gz/g)].map(([, hash]) => hash)
  await upload('2.0.0', 2)
  await until(
    'the index has changed',
    async () => (await packages()) !== empty && !(await inRelease()).includes(before),
  )
  await until('both nodes have the same index', async () => new Set(await inRelease()).size === 1)
  const [after = ''] = await inRelease()
  for (const hash of [...hashes(before), ...hashes(after)])
    for (const { status } of await read(`dists/stable/main/binary-amd64/by-hash/SHA256/${hash}`))
      assert.equal(status, 200, hash)
  const keys = (await read('key.asc')).map(({ text }) => text)
  assert.equal(new Set(keys).size, 1)

  const stop = { version: '2.0.0', state: 'stopped' }
  await calls.send('PATCH', `/channels/${channel.id}/rollout`, stop)
  const unstopped = hashes(after)[0] ?? ''
  await until(
    'no node names 2.0.0',
    async () => (await inRelease()).every((text) => !text.includes(unstopped)),
    withinASecond,
  )
  await until('both nodes have the same index', async () => new Set(await inRelease()).size === 1)
  const [stopped = ''] = await inRelease()
  assert.deepEqual(hashes(stopped), hashes(before))
  const dateOf = (text: string) => Date.parse(/^Date: (.*)$/m.exec(text)?.[1] ?? '')
  assert.ok(dateOf(stopped) >= dateOf(after), 'apt ignores an index that is older than its own')

  await second.stop()
  second = await startOwnService({ state: first.state })
  assert.equal(new Set(await inRelease()).size, 1)
  assert.equal((await inRelease())[0], stopped)
  const rotated = await first.call('POST', '/workspace/repository-keys', {
    key: tenant.workspaceKey,
    body: {},
  })
  assert.equal(rotated.status, 201)
  await until(
    'both nodes sign with the new key',
    async () => (await inRelease()).every((text) => text !== stopped),
    withinASecond,
  )
  await until('both nodes have the same index', async () => new Set(await inRelease()).size === 1)
})

test('serves the same index of F-Droid on both nodes, and each new one with a later time', async () => {
  const tenant = await first.tenant({ platforms: ['android'] })
  const calls = channelCalls(first, tenant)
  const { id } = await calls.createChannel({ stream: 'default', formats: ['fdroid'] })
  // The index contains the public URL, which is the same on every node.
  Object.assign(second.deps.config, { publicUrl: first.url })
  const readiness = `/applications/${tenant.applicationId}/channels/${id}/readiness`
  const links = await Promise.all(
    [first, second].map(async (node) => {
      const { body } = await node.call('GET', readiness, { key: tenant.workspaceKey })
      return new URL(body.data[0].setup[0].code).search
    }),
  )
  assert.match(links[0] ?? '', /^\?fingerprint=[0-9a-f]{64}$/)
  assert.equal(links[0], links[1])
  const read = async (path: string) =>
    Promise.all([first, second].map(({ url }) => readFeed(`${url}/u/${id}/fdroid/repo/${path}`)))
  const tags = async () => (await read('entry.jar')).map(({ headers }) => headers.get('etag'))
  let known: (string | null)[] = []
  const times: number[] = []
  while (times.length < 3) {
    await until('both nodes have the same new index', async () => {
      const now = await tags()
      return now[0] === now[1] && now[0] !== known[0]
    })
    known = await tags()
    const [index = assert.fail('no index')] = await read('index-v2.json')
    times.push((JSON.parse(index.text) as { repo: { timestamp: number } }).repo.timestamp)
    const body = { kind: 'x509' }
    const replaced = await second.call('POST', '/workspace/repository-keys', {
      key: tenant.workspaceKey,
      body,
    })
    assert.equal(replaced.status, 201, replaced.text)
  }
  assert.deepEqual(
    times,
    [...new Set(times)].toSorted((a, b) => a - b),
  )
})

test('answers for the host name of an update server that it replaces', async () => {
  const tenant = await first.tenant({ platforms: ['macos'] })
  const calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', formats: ['hazel'] })
  const build = await calls.uploadVersion([2, 0, 0], {
    platform: 'macos',
    filename: 'Harbor.zip',
    bytes: Buffer.from('zip'),
  })
  await second.stop()
  const environment = { QUAYSIDE_UPDATE_HOSTS: `Updates.Example.com=${channel.id}/hazel` }
  second = await startOwnService({ state: first.state, environment })
  const ask = (path: string, host = 'updates.example.com:443') =>
    second.call('GET', `${second.url}${path}`, { key: null, headers: { host } })
  const update = await ask('/update/darwin/1.0.0')
  assert.deepEqual(
    [update.status, update.body.url],
    [200, `${second.url}/u/${channel.id}/hazel/2.0.0/${build}/Harbor.zip`],
  )
  assert.equal((await ask('/download/darwin')).status, 302)
  assert.equal((await ask('/api/v1/workspace')).status, 404)
  assert.equal((await ask('/update/darwin/1.0.0', 'builds.example.com')).status, 404)
})

test('gives a client the same offer on every node and after a restart', async () => {
  const tenant = await first.tenant({ platforms: ['windows'] })
  const calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', formats: ['json', 'scoop'] })
  for (const major of [1, 2])
    await calls.uploadVersion([major, 0, 0], {
      platform: 'windows',
      filename: `harbor-${major}.exe`,
      bytes: Buffer.from(`${major}`),
    })
  await calls.send('PATCH', `/channels/${channel.id}/rollout`, { version: '2.0.0', percentage: 50 })
  const headOf = async ({ url }: Service) =>
    (await readFeed(`${url}/u/${channel.id}/scoop/bucket.git/info/refs`)).text
  const offersOf = async ({ url }: Service) => {
    const ids = Array.from({ length: 60 }, (_, index) => `client ${index}`)
    const responses = await Promise.all(
      ids.map((id) => readFeed(`${url}/u/${channel.id}/json/latest.json`, { 'x-quayside-client': id })),
    )
    return responses.map(({ text }) => JSON.parse(text).version as string)
  }
  const expected = await offersOf(first)
  assert.ok(new Set(expected).size === 2)
  assert.deepEqual(await offersOf(second), expected)
  await second.stop()
  // Manifests contain the public URL, which is the same on every node.
  second = await startOwnService({ state: first.state })
  Object.assign(second.deps.config, { publicUrl: first.url })
  assert.deepEqual(await offersOf(second), expected)
  const head = await headOf(first)
  assert.match(head, /^[0-9a-f]{40}\trefs\/heads\/main\n$/)
  assert.equal(await headOf(second), head)
  await calls.send('PATCH', `/channels/${channel.id}/rollout`, { version: '2.0.0', percentage: 100 })
  await until('both nodes have a new commit', async () => {
    const heads = await Promise.all([first, second].map(headOf))
    return heads[0] === heads[1] && heads[0] !== head
  })
})
