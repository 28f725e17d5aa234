import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { allItems } from '@quayside/sdk'
import type { FullBuild, QuaysideClient } from '@quayside/sdk'
import { listen } from './other-servers.ts'
import { jsonInProcess } from './run-in-process.ts'
import type { Service } from './running-server.ts'

const fileOf = ({ filename, size_bytes, checksum_md5 }: FullBuild['primary_file']) => [
  filename,
  size_bytes,
  checksum_md5,
]
const named = (items: { name: string }[]) => items.map(({ name }) => name)

/** Returns everything that an import copies, without IDs and times. */
export async function describeImported(client: QuaysideClient, id: string) {
  const application_id = id
  const builds = await allItems((page) => client.listBuilds({ application_id, sort: 'asc', page }))
  const full = await Promise.all(
    builds.map(async ({ id: build_id }) => (await client.getBuild({ application_id, build_id })).data),
  )
  const releases = await allItems((page) => client.listReleases({ application_id, sort: 'asc', page }))
  return {
    application: await client
      .getApplication({ application_id })
      .then(({ data }) => [data.name, data.description]),
    platforms: (await client.listPlatforms({ application_id })).data.map(({ identifier }) => identifier),
    streams: (await client.listStreams({ application_id })).data.map(({ name, retention_days }) => [
      name,
      retention_days,
    ]),
    labels: (await client.listLabels({ application_id })).data.map(({ name, color }) => [name, color]),
    builds: full.map((build) => ({
      version: build.version,
      number: build.build_number,
      stream: build.stream.name,
      target: build.custom_target?.name,
      labels: named(build.labels),
      architectures: build.architectures.map(({ identifier }) => identifier),
      notes: build.notes,
      source: build.build_source,
      ci: build.ci_pipeline,
      scm: build.scm,
      primary: fileOf(build.primary_file),
      expansion: build.expansion_files.map(fileOf),
      artifacts: build.metadata_artifacts.map(({ filename, checksum_md5 }) => [filename, checksum_md5]),
    })),
    releases: await Promise.all(
      releases.map(async ({ id: release_id }) => {
        const { data } = await client.getRelease({ application_id, release_id })
        return [
          data.title,
          data.version,
          data.status,
          data.notes,
          named(data.labels),
          data.builds.map(({ version }) => version).toSorted(),
        ]
      }),
    ),
  }
}

/** Starts a proxy in front of the service. `onRequest` may answer a request itself by returning true. */
export function startRequestProxy(
  service: Service,
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<string> {
  const url: Promise<string> = listen(
    createServer((request, response) => {
      if (onRequest(request, response)) return
      void (async () => {
        const { method = 'GET', headers, url: path = '' } = request
        const sent = new Headers(headers as Record<string, string>)
        for (const name of ['host', 'connection']) sent.delete(name)
        const body = await buffer(request)
        const received = await fetch(`${service.directUrl}${path}`, {
          method,
          headers: sent,
          redirect: 'manual',
          ...(body.length > 0 ? { body } : {}),
        })
        const bytes = Buffer.from(await received.arrayBuffer())
        const isJson = received.headers.get('content-type')?.startsWith('application/json') === true
        const text = isJson ? bytes.toString().replaceAll(service.url, await url) : undefined
        const rest = Object.fromEntries(received.headers)
        // `fetch` has decoded the body.
        delete rest['content-encoding']
        delete rest['content-length']
        response.writeHead(received.status, rest).end(text ?? bytes)
      })().catch(() => response.destroy())
    }),
  )
  return url
}

/** Creates an application with builds that have every attribute that an import copies. */
export async function createSource(service: Service, client: QuaysideClient): Promise<string> {
  const { data } = await client.createApplication({
    body: { name: 'Compass', description: 'A navigation app', platforms: ['android', 'linux'] },
  })
  const id = data.id
  await client.createStream({
    application_id: id,
    body: { name: 'beta', description: 'Weekly', retention_days: 90 },
  })
  await client.createLabel({ application_id: id, body: { name: 'signed', color: '#12abef' } })
  await client.createCustomTarget({ application_id: id, body: { name: 'kiosk', platform: 'android' } })
  const folder = service.folder
  await writeFile(join(folder, 'app.apk'), randomBytes(90_000))
  await writeFile(join(folder, 'main.1.app.obb'), randomBytes(40_000))
  await writeFile(join(folder, 'app.tar.gz'), randomBytes(70_000))
  await writeFile(join(folder, 'report.txt'), 'All tests passed.\n')
  const uploaded: string[] = []
  for (const [version, ...options] of [
    [
      '1.0.0',
      'app.tar.gz',
      '--platform',
      'linux',
      '--stream',
      'beta',
      '--label',
      'signed',
      '--architecture',
      'x64',
    ],
    [
      '1.1.0-rc.1+7',
      'app.apk',
      '--platform',
      'android',
      '--expansion',
      'main.1.app.obb',
      '--custom-target',
      'kiosk',
    ],
    [
      '1.1.0',
      'app.tar.gz',
      '--platform',
      'linux',
      '--build-number',
      'B-7',
      '--metadata',
      'report.txt',
      '--notes',
      '# New',
    ],
  ] as const) {
    const args = ['upload', ...options, '--application', id, '--no-scm', '--version', version]
    uploaded.push((await jsonInProcess<{ build_id: string }>(service, args)).build_id)
  }
  const release = {
    title: 'Spring',
    version_component_1_major: 1,
    version_component_2_minor: 1,
    version_component_3_patch: 0,
  }
  await client.createRelease({
    application_id: id,
    body: { ...release, notes: '# Spring', build_ids: uploaded.slice(1) },
  })
  await client.createRelease({
    application_id: id,
    body: { ...release, title: 'Next', draft: true, labels: ['signed'] },
  })
  return id
}

const png = {
  content_type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC',
} as const

/** Adds an icon, a custom target, share links, webhooks and a distribution group to the application. */
export async function addSettings(client: QuaysideClient, application_id: string): Promise<void> {
  const app = { application_id }
  await client.replaceApplicationIcon({ ...app, body: png })
  await client.replaceCustomTargetIcon({ ...app, target_identifier: 'kiosk', body: png })
  const [build] = (await client.listBuilds(app)).data
  const [release] = (await client.listReleases({ ...app, search: 'Spring' })).data
  assert.ok(build !== undefined && release !== undefined)
  await client.createBuildShareLink({ ...app, build_id: build.id, body: { max_downloads: 50 } })
  await client.createBuildShareLink({ ...app, build_id: build.id, body: { password: 'a long password' } })
  await client.createReleaseShareLink({ ...app, release_id: release.id, body: { is_active: false } })
  const hook = { url: 'https://example.com/hook', event: 'build.created.stream', stream: 'beta' } as const
  await client.createWebhook({ ...app, body: { ...hook, description: 'Chat', label: 'signed' } })
  await client.createWebhook({ ...app, body: { ...hook, secret: 'the secret of a webhook' } })
  const { data: group } = await client.createDistributionGroup({
    body: { name: 'Testers', type: 'external' },
  })
  const distribution_group_id = group.id
  const emails = ['ada@example.com', 'bob@example.com']
  await client.createDistributionGroupMembers({ distribution_group_id, body: { emails } })
  await client.addDistributionGroupRelease({ distribution_group_id, body: { release_id: release.id } })
}
