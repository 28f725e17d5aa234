import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { allItems } from '@quayside/sdk'
import type { FullBuild, QuaysideClient } from '@quayside/sdk'
import { listen } from './other-servers.ts'
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
