import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import type { FullBuild } from '@quayside/sdk'
import { jsonInProcess } from './run-in-process.ts'
import { bootstrapKey } from './running-server.ts'
import type { Service } from './running-server.ts'

type Summary = {
  copied: number
  updated: number
  deleted: number
  releases: number
  received_bytes: number
}

let count = 0

/**
 * Creates an application and an empty folder for its mirror, and returns functions that upload builds and compare the mirror
 * with them. `untilRunning` is awaited before a call is repeated that failed because the service was unreachable.
 */
export async function createMirroring(
  service: Service,
  untilRunning: () => Promise<unknown> = async () => {},
) {
  const client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
  const number = ++count
  const created = await client.createApplication({
    body: { name: `Mirrored ${number}`, platforms: ['generic'] },
  })
  const application_id = created.data.id
  const folder = join(service.folder, `mirror-${number}`)
  const mirror = (...options: string[]) =>
    jsonInProcess<Summary>(service, ['mirror', application_id, folder, ...options])

  /** Repeats a call while the service is unreachable. The call must be safe to repeat. */
  async function persistently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        const isUnavailable =
          error instanceof QuaysideUnreachableError ||
          error instanceof TypeError ||
          (error instanceof QuaysideError && error.status >= 500)
        if (!isUnavailable) throw error
        await Promise.all([untilRunning(), sleep(20)])
      }
    }
  }

  async function upload(
    fields: { stream?: string; labels?: string[]; filename?: string; bytes?: Buffer } = {},
  ) {
    const { stream = 'default', filename = 'app.bin', bytes = randomBytes(2000), labels = [] } = fields
    const request = await persistently(() =>
      client.requestUpload({
        body: {
          application_id,
          platform: 'generic',
          source: 'cli-upload',
          stream,
          labels,
          primary_file: { filename, size_bytes: bytes.length },
          version_component_1_major: 1,
          version_component_2_minor: 0,
          version_component_3_patch: 0,
        },
      }),
    )
    const { url } = request.primary_file.presigned_data!
    await persistently(async () => {
      const response = await fetch(url, { method: 'PUT', body: Uint8Array.from(bytes) })
      const text = await response.text()
      if (response.status !== 200) throw new QuaysideError(response.status, text)
    })
    const verified = await persistently(() =>
      client.verifyUpload({ body: { pending_upload_id: request.pending_upload_id } }),
    )
    return { id: verified.build_id, sha256: createHash('sha256').update(bytes).digest('hex') }
  }

  /** Returns the mirrored builds by ID, each with its folder and the SHA-256 of its primary file. */
  async function mirrored(top = 'builds') {
    const found = new Map<string, { path: string; build: FullBuild; sha256: string }[]>()
    const all = await readdir(join(folder, top), { recursive: true }).catch(() => [])
    for (const path of all.filter((name) => /^[^/]+\/[^/]+\/build\.json$/.test(name))) {
      const home = join(folder, top, dirname(path))
      const build = JSON.parse(await readFile(join(home, 'build.json'), 'utf8')) as FullBuild
      const bytes = await readFile(join(home, 'files', build.primary_file.filename))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      found.set(build.id, [...(found.get(build.id) ?? []), { path: dirname(path), build, sha256 }])
    }
    return found
  }

  /** Counts the builds that the mirror has recorded. */
  async function copiedCount(): Promise<number> {
    const names = await readdir(join(folder, '.quayside-mirror', 'builds'), {
      recursive: true,
    }).catch(() => [])
    return names.filter((name) => name.endsWith('.json')).length
  }

  async function assertMirrors(expected: { id: string; sha256: string }[]): Promise<void> {
    const found = [...(await mirrored())].map(([id, copies]) => [id, copies.map(({ sha256 }) => sha256)])
    assert.deepEqual(
      new Map(found as [string, string[]][]),
      new Map(expected.map(({ id, sha256 }) => [id, [sha256]])),
    )
  }

  return {
    client,
    application_id,
    folder,
    mirror,
    persistently,
    upload,
    mirrored,
    copiedCount,
    assertMirrors,
  }
}
