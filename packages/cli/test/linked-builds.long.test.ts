import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { writeFiles } from './archived-folder.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { InProcessService } from './running-server.ts'
import { treeOf } from './synced-folder.ts'

const mib = 1024 * 1024
let service: InProcessService
let client: QuaysideClient
let application_id: string
let folder: string

before(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
  folder = join(service.folder, 'linked')
  await mkdir(folder)
  const args = ['applications', 'create', 'Game', '--platform', 'generic', '--platform', 'windows']
  application_id = (await jsonInProcess<{ id: string }>(service, args)).id
})
after(() => service.close())

let versions = 0
async function upload(path: string, ...options: string[]): Promise<string> {
  const args = ['upload', path, '--version', `1.0.${++versions}`, '--platform', 'generic', ...options]
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
  await service.indexChunks(build_id)
  return build_id
}

async function share(buildId: string, body: object = {}) {
  const { data } = await client.createBuildShareLink({ application_id, build_id: buildId, body })
  return data
}

/** Runs a command as a person without an API key. */
const visit = (args: string[], options: InProcessOptions = {}) =>
  runInProcess(service, args, {
    ...options,
    env: { QUAYSIDE_API_KEY: '', QUAYSIDE_SERVER: 'http://localhost:1' },
  })

type Transferred = { build_id: string; files: [{ received_bytes: number; reused_bytes: number }] }

async function visitJson<Output>(args: string[], options: InProcessOptions = {}): Promise<Output> {
  const { code, stdout, stderr } = await visit([...args, '--json'], options)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Output
}

test('downloads the build of a share link without a key, and reuses an earlier version', async () => {
  const bytes = randomBytes(3 * mib)
  const path = join(folder, 'game.pak')
  await writeFile(path, bytes)
  const { url, short_url: shortUrl } = await share(await upload(path))
  const old = join(folder, 'old.pak')
  await writeFile(old, Buffer.concat([bytes.subarray(0, mib), randomBytes(100), bytes.subarray(mib)]))
  for (const [name, link] of Object.entries({ url, shortUrl, page: `${shortUrl}/?from=chat#top` })) {
    const target = join(folder, `${name}.pak`)
    const { files } = await visitJson<Transferred>(['download', link, '--output', target, '--reuse', old])
    assert.ok(bytes.equals(await readFile(target)), name)
    assert.ok(files[0].received_bytes < mib / 2, `${name}: ${files[0].received_bytes} bytes received`)
  }
})

test('counts one download, also if the URLs expire', async () => {
  const path = join(folder, 'once.bin')
  await writeFile(path, 'once')
  const buildId = await upload(path)
  const { url, id } = await share(buildId, { max_downloads: 1 })
  const { code, stderr } = await visit(['download', url, '--output', `${folder}/one/`])
  assert.equal(code, 0, stderr)
  const { data: links } = await client.listBuildShareLinks({ application_id, build_id: buildId })
  assert.equal(links.find((link) => link.id === id)?.download_count, 1)
  const again = await visit(['download', url, '--output', `${folder}/two/`])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /download limit/)
})

test('syncs a folder from a link with a password', async () => {
  const build = join(folder, 'Build')
  const data = randomBytes(2 * mib)
  await writeFiles(build, { 'data.pak': data, 'read.me': 'one' })
  const first = await upload(build)
  const { url } = await share(first, { password: 'open sesame' })
  const synced = join(folder, 'synced')
  const refused = await visit(['sync', url, synced])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /--password-stdin/)
  const wrong = await visit(['sync', url, synced, '--password-stdin'], { input: 'open\n' })
  assert.notEqual(wrong.code, 0)
  const result = await visit(['sync', url, synced, '--password-stdin'], { input: 'open sesame\n' })
  assert.equal(result.code, 0, result.stderr)
  assert.deepEqual(await treeOf(synced), await treeOf(build))

  await writeFiles(build, { 'read.me': 'two' })
  const next = await share(await upload(build), { password: 'open sesame' })
  const { received_bytes: received } = await visitJson<{ received_bytes: number }>(
    ['sync', next.url, synced],
    {
      answers: ['open sesame'],
    },
  )
  assert.deepEqual(await treeOf(synced), await treeOf(build))
  assert.ok(received < mib / 4, `${received} bytes received`)
})

test('selects one of the builds of a release by its platform', async () => {
  const [generic, windows] = [join(folder, 'game.bin'), join(folder, 'game.exe')]
  await writeFile(generic, 'generic')
  await writeFile(windows, 'windows')
  const args = ['upload', windows, '--version', '2.0.0', '--platform', 'windows']
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
  const { data: release } = await client.createRelease({
    application_id,
    body: {
      title: 'Two',
      version_component_1_major: 2,
      version_component_2_minor: 0,
      version_component_3_patch: 0,
      build_ids: [build_id, await upload(generic)],
    },
  })
  const { data: link } = await client.createReleaseShareLink({
    application_id,
    release_id: release.id,
    body: {},
  })
  const several = await visit(['download', link.url])
  assert.equal(several.code, 2)
  assert.match(several.stderr, /--platform: (generic, windows|windows, generic)/)
  const chosen = ['download', link.url, '--platform', 'windows', '--output', `${folder}/chosen/`]
  assert.equal((await visitJson<Transferred>(chosen)).build_id, build_id)
  assert.equal(await readFile(join(folder, 'chosen/game.exe'), 'utf8'), 'windows')
  assert.match((await visit([...chosen, '--platform', 'ios'])).stderr, /no build for ios, only for/)
})

test('downloads through the link that a group received by email', async () => {
  const path = join(folder, 'game.txt')
  await writeFile(path, 'for the group')
  const version = { version_component_1_major: 3, version_component_2_minor: 0, version_component_3_patch: 0 }
  const build_ids = [await upload(path)]
  const { data: release } = await client.createRelease({
    application_id,
    body: { title: 'Three', ...version, build_ids },
  })
  const { data: group } = await client.createDistributionGroup({ body: { name: 'Testers' } })
  const distribution_group_id = group.id
  await client.createDistributionGroupMembers({
    distribution_group_id,
    body: { emails: ['ann@example.com'] },
  })
  await client.addDistributionGroupRelease({
    distribution_group_id,
    body: { release_id: release.id, notify: true },
  })
  const { data: mails } = await client.listMails({ sort: 'desc' })
  const mail = mails.find(({ recipient }) => recipient === 'ann@example.com')
  const link = /^http\S+\/group-links\/\S+$/m.exec(mail?.text_body ?? '')?.[0] ?? ''
  const { code, stderr } = await visit(['download', link, '--output', `${folder}/group/`])
  assert.equal(code, 0, stderr)
  assert.equal(await readFile(join(folder, 'group/game.txt'), 'utf8'), 'for the group')
})

test('explains links that lead to no build', async () => {
  for (const link of [`${service.url}/s/unknown`, `${service.url}/docs`, `${service.url}/api/v1/platforms`]) {
    const { code, stderr } = await visit(['download', link])
    assert.equal(code, 1, link)
    assert.match(stderr, /leads to no build\. Check that the link is complete\./, link)
  }
  const { id, url } = await share(await upload(join(folder, 'once.bin')))
  await client.deleteShareLink({ share_link_id: id })
  assert.match((await visit(['download', url])).stderr, /revoked|no build/)
})
