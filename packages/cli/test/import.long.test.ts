import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { addSettings, createSource, describeImported, startRequestProxy } from './imported-application.ts'
import { closeServers } from './other-servers.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startQuayside } from './run-quayside.ts'
import { bootstrapKey, startServerProcess } from './running-server.ts'
import type { ServerProcess } from './running-server.ts'

type Summary = { application_id: string; builds: number; releases: number; sent_bytes: number }

/** How many requests a run makes more than the run before it until it is killed. */
const requestsPerKill = Number(process.env['QUAYSIDE_IMPORT_KILL_STEP'] ?? 12)

let service: ServerProcess
let client: QuaysideClient
let application_id: string

before(async () => {
  service = await startServerProcess()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
  application_id = await createSource(service, client)
})
after(async () => {
  closeServers()
  await service.close()
})

const describeApplication = (id: string) => describeImported(client, id)

const from = (url: string) => ['import', '--from', url, '--from-application', application_id]
const env = { QUAYSIDE_FROM_API_KEY: bootstrapKey }

test('imports an application that was exported to a folder', async () => {
  const folder = join(service.folder, 'export')
  const exported = await runInProcess(service, ['export', application_id, folder])
  assert.equal(exported.code, 0, exported.stderr)
  const summary = await jsonInProcess<Summary>(service, ['import', folder])
  assert.deepEqual([summary.builds, summary.releases], [3, 2])
  assert.notEqual(summary.application_id, application_id)
  assert.deepEqual(
    await describeApplication(summary.application_id),
    await describeApplication(application_id),
  )
  const again = await jsonInProcess<Summary>(service, ['import', folder])
  assert.deepEqual([again.application_id, again.builds, again.releases], [summary.application_id, 0, 0])
})

type Report = Summary & {
  state: string
  custom_targets: number
  icons: number
  share_links: number
  webhooks: number
  distribution_groups: number
  create_again: { type: string; name: string; reason: string }[]
  not_imported: { what: string; reason: string }[]
}

test('carries icons, custom targets, share links, webhooks and groups, and lists what to create again', async () => {
  await addSettings(client, application_id)
  const folder = join(service.folder, 'settings')
  await runInProcess(service, ['export', application_id, folder])
  const state = ['--state', join(service.folder, 'settings.jsonl')]
  const report = await jsonInProcess<Report>(service, ['import', folder, ...state])
  const { icons, custom_targets, share_links, webhooks, distribution_groups } = report
  assert.deepEqual([icons, custom_targets, share_links, webhooks, distribution_groups], [1, 1, 2, 2, 1])
  assert.deepEqual(
    report.create_again.map(({ type, reason }) => [type, reason]),
    [
      ['share link', 'It has a password, which the API does not return.'],
      ['webhook secret', 'Set the secret, then activate the webhook. The API does not return secrets.'],
    ],
  )
  assert.match(report.not_imported.at(-1)?.what ?? '', /creation times, people, API keys/)
  const app = { application_id: report.application_id }
  assert.ok((await client.getApplication(app)).data.icon_url !== null)
  const target = (await client.getCustomTarget({ ...app, target_identifier: 'kiosk' })).data
  assert.deepEqual([target.platform.identifier, target.icon_url === null], ['android', false])
  const hooks = (await client.listWebhooks(app)).data.map((hook) => [
    hook.description,
    hook.event_subscription.stream?.name,
    hook.event_subscription.label?.name,
    hook.is_active,
    hook.secret_configured,
  ])
  assert.deepEqual(
    hooks.toSorted((a, b) => Number(b[3]) - Number(a[3])),
    [
      ['Chat', 'beta', 'signed', true, false],
      [null, 'beta', undefined, false, false],
    ],
  )
  const [build] = (await client.listBuilds(app)).data
  const links = await client.listBuildShareLinks({ ...app, build_id: build?.id ?? '' })
  assert.deepEqual(
    links.data.map(({ max_downloads, is_active }) => [max_downloads, is_active]),
    [[50, true]],
  )
  const groups = (await client.listDistributionGroups({ search: 'Testers' })).data
  const copy = groups.find(({ name }) => name === 'Testers (2)')
  assert.equal(copy?.tester_count, 2)
  const again = await jsonInProcess<Report>(service, ['import', folder, ...state])
  assert.deepEqual([again.share_links, again.webhooks, again.distribution_groups], [0, 0, 0])
  assert.equal((await client.listWebhooks(app)).data.length, 2)
  const plain = await runInProcess(service, ['import', folder, ...state])
  assert.match(plain.stdout, /Create again:\n {2}share link to the build \w+: It has a password/)
  assert.match(plain.stdout, /Not imported:\n {2}creation times, people/)
})

test('reports what the keys of both servers may not carry and imports the rest', async () => {
  const { data: reader } = await client.createWorkspaceApiKey({
    body: { name: 'reader', scopes: ['applications:read', 'builds:read', 'releases:read'] },
  })
  const args = [...from(service.url), '--state', join(service.folder, 'reader.jsonl')]
  const report = await jsonInProcess<Report>(service, args, {
    env: { QUAYSIDE_FROM_API_KEY: reader.key },
  })
  assert.deepEqual([report.builds, report.releases, report.webhooks], [3, 2, 0])
  const missing = report.not_imported.map(({ what }) => what)
  assert.deepEqual(missing.slice(0, 3), ['webhooks', 'share links', 'distribution groups'])
})

test('rejects a folder whose files were damaged after the export', async () => {
  const folder = join(service.folder, 'damaged')
  await runInProcess(service, ['export', application_id, folder])
  const entries = await readdir(join(folder, 'builds'), { recursive: true, withFileTypes: true })
  const file = entries.find(({ name }) => name === 'app.tar.gz')
  assert.ok(file)
  const path = join(file.parentPath, file.name)
  const bytes = await readFile(path)
  bytes[5]! ^= 1
  await writeFile(path, bytes)
  const { code, stderr } = await runInProcess(service, ['import', folder, '--state', join(folder, 'state')])
  assert.equal(code, 1)
  assert.match(stderr, /app\.tar\.gz is damaged\. Rerun `quayside export` to replace it\./)
})

test('names a damaged or missing file of an export and resumes with the original', async () => {
  const folder = join(service.folder, 'broken')
  await runInProcess(service, ['export', application_id, folder])
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (wanted: string) => {
    const found = entries.find(({ name }) => name === wanted)
    return join(found?.parentPath ?? '', wanted)
  }
  const [application, build, file] = [pathOf('application.json'), pathOf('build.json'), pathOf('app.apk')]
  const cases: [string, string | undefined, RegExp][] = [
    [application, '{"format": 1, "appl', /application\.json is damaged\. Rerun `quayside export`/],
    [application, 'null', /application\.json is damaged\./],
    [application, '{"format": 1, "is_complete": true}', /application\.json is damaged\./],
    [application, '{"format": 9}', /was written by a newer version\. Update the CLI\./],
    [build, '{"id": "', /build\.json is damaged\. Rerun `quayside export`/],
    [build, '[]', /build\.json is damaged\./],
    [build, undefined, /build\.json is missing\. Rerun `quayside export`/],
    [file, 'short', /app\.apk is damaged\. Rerun `quayside export`/],
    [file, undefined, /app\.apk is missing\. Rerun `quayside export`/],
  ]
  for (const [path, text, message] of cases) {
    const original = await readFile(path)
    await (text === undefined ? rm(path) : writeFile(path, text))
    const run = await runInProcess(service, ['import', folder, '--state', join(folder, 'state')])
    await writeFile(path, original)
    assert.match(run.stderr, message)
    assert.equal(run.code, 1)
  }
  const { builds } = await jsonInProcess<Summary>(service, [
    'import',
    folder,
    '--state',
    join(folder, 'state'),
  ])
  assert.ok(builds > 0, 'the import resumes with the original files')
})

test('resumes an import from another server after every kill, without losing or repeating anything', async () => {
  let requests = 0
  let limit = Infinity
  let kill = () => {}
  const url = await startRequestProxy(service, () => {
    if (++requests === limit) kill()
    return false
  })
  const state = ['--state', join(service.folder, 'killed.jsonl')]
  let kills = 0
  for (let done = false; !done;) {
    requests = 0
    limit = requestsPerKill * (kills + 1)
    const { child, ended } = startQuayside({ ...service, url }, [...from(url), ...state], { env })
    kill = () => child.kill('SIGKILL')
    const { code, signal, stderr } = await ended
    if (signal === null) assert.equal(code, 0, stderr)
    if (signal === null) done = true
    else kills++
  }
  assert.ok(kills > 1, `${kills} kills`)
  const text = await readFile(join(service.folder, 'killed.jsonl'), 'utf8')
  const { to } = JSON.parse(text.split('\n')[1] ?? '') as { to: string }
  assert.deepEqual(await describeApplication(to), await describeApplication(application_id))
  const { data } = await client.listApplications({ search: 'Compass', per_page: 100 })
  assert.equal(data.filter(({ id }) => id === to).length, 1)
  assert.deepEqual(await readdir(join(service.folder, 'killed.jsonl.files')).catch(() => []), [])
})

test('imports from a server that only has the endpoints of the contract and limits the rate of requests', async () => {
  const contract = [
    /^\/api\/v1\/applications\/\w+$/,
    /^\/api\/v1\/applications\/\w+\/(platforms|labels|streams|builds|releases)$/,
    /^\/api\/v1\/applications\/\w+\/builds\/\w+\/metadata$/,
    /^\/api\/v1\/applications\/\w+\/releases\/\w+$/,
    /^\/storage\//,
  ]
  let limited = 0
  const url = await startRequestProxy(service, (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path.endsWith('/download') && request.headers.authorization !== undefined) {
      // The download URL redirects to the file, as the contract allows.
      const target = `${service.directUrl}${path.replace(/download$/, 'file')}`
      void fetch(target, {
        headers: { authorization: request.headers.authorization },
        redirect: 'manual',
      }).then((found) => response.writeHead(302, { location: found.headers.get('location') ?? '' }).end())
      return true
    }
    if (!contract.some((pattern) => pattern.test(path))) response.writeHead(404).end()
    else if (limited < 3 && path.endsWith('/builds')) {
      limited++
      response.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too many requests."}')
    } else return false
    return true
  })
  const plain = await client.createApplication({ body: { name: 'Plain', platforms: ['linux'] } })
  const bytes = randomBytes(5000)
  await writeFile(join(service.folder, 'tool.tar.gz'), bytes)
  const args = ['upload', 'tool.tar.gz', '--application', plain.data.id, '--no-scm', '--version', '2.0.0']
  await jsonInProcess(service, [...args, '--platform', 'linux'])
  const summary = await jsonInProcess<Summary>(
    service,
    ['import', '--from', url, '--from-application', plain.data.id, '--state', join(service.folder, 'plain')],
    { env },
  )
  assert.deepEqual([summary.builds, limited], [1, 3])
  const { builds } = await describeApplication(summary.application_id)
  const md5 = createHash('md5').update(bytes).digest('hex')
  assert.deepEqual(builds[0]?.primary, ['tool.tar.gz', 5000, md5])
})

test('starts over if the application of the earlier import was deleted or its record is damaged', async () => {
  const folder = join(service.folder, 'again')
  await runInProcess(service, ['export', application_id, folder])
  const state = join(service.folder, 'again.jsonl')
  const args = ['import', folder, '--state', state]
  const first = await jsonInProcess<Summary>(service, args)
  await client.deleteApplication({ application_id: first.application_id })
  const stuck = await runInProcess(service, args)
  assert.equal(stuck.code, 1)
  assert.equal(
    stuck.stderr,
    `quayside: The application ${first.application_id} of the earlier import was deleted, or the key cannot access it. Restore it, or add --start-over to import everything again.\n`,
  )
  const over = await runInProcess(service, [...args, '--start-over'])
  assert.equal(over.code, 0, over.stderr)
  assert.ok(over.stderr.includes(`The record of the earlier import is now ${state}.discarded.`), over.stderr)
  assert.ok(over.stderr.includes(`into the application ${first.application_id} stays.`), over.stderr)
  const second = await jsonInProcess<Summary>(service, args)
  assert.notEqual(second.application_id, first.application_id)
  assert.deepEqual([second.builds, second.releases], [0, 0])
  assert.deepEqual(
    await describeApplication(second.application_id),
    await describeApplication(application_id),
  )

  const notes = 'no record\nof an import'
  await writeFile(state, notes)
  const damaged = await runInProcess(service, args)
  assert.equal(damaged.code, 1)
  assert.match(damaged.stderr, /is damaged or is not the record of an import\. .*--start-over/)
  assert.equal(await readFile(state, 'utf8'), notes)
  const third = await jsonInProcess<Summary>(service, [...args, '--start-over'])
  assert.deepEqual([third.builds, third.releases], [3, 2])
  assert.equal(await readFile(`${state}.discarded`, 'utf8'), notes)
})

test('rejects an import without a source or without a key for the other server', async () => {
  const noSource = await runInProcess(service, ['import'])
  assert.match(noSource.stderr, /Name a folder, a server with --from and --from-application, or a service/)
  const noKey = await runInProcess(service, from(service.url))
  assert.match(noKey.stderr, /Set QUAYSIDE_FROM_API_KEY or --from-key\./)
  const noExport = await runInProcess(service, ['import', service.folder])
  assert.match(noExport.stderr, /contains no application\.json\. Create it with `quayside export`\./)
  assert.deepEqual([noSource.code, noKey.code, noExport.code], [2, 2, 1])
})
