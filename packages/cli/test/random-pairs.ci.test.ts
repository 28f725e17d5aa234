import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { s3Environment } from '../../server/test/acceptance/test-storage.ts'
import { missingS3Server, sharedS3Server } from '../../server/test/s3-server.ts'
import { bytesOf, pair, type Pair } from './random-pair.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startService, type InProcessService } from './running-server.ts'

const pairs = Number(process.env['QUAYSIDE_RANDOM_PAIRS'] ?? 6)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? Date.now() % 1_000_000)
const writers = 3

/** A pair whose first version remains until the second has been uploaded, so that a run always reuses bytes. */
const remaining: Pair = {
  seed: 1,
  size: 2 * 1024 * 1024,
  edits: [{ kind: 'insert', at: { fraction: 0.5 }, size: 100, seed: 2 }],
}

type Uploaded = { build_id: string; sent_bytes: number; reused_bytes: number }

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Uploads pairs of files and compares what is downloaded, while their builds are purged and moved. */
class Exchange {
  readonly #service: InProcessService
  /** Builds that are still compared, which must remain. */
  readonly #kept = new Set<string>()
  readonly #others: string[] = []
  sentBytes = 0
  reusedBytes = 0
  versions = 0

  constructor(service: InProcessService) {
    this.#service = service
  }

  async upload(folder: string, bytes: Buffer): Promise<string> {
    const path = join(folder, 'game.pak')
    await writeFile(path, bytes)
    const version = `1.0.${++this.versions}`
    const args = ['upload', path, '--version', version, '--stream', 'nightlies', '--application', 'Game']
    const uploaded = await jsonInProcess<Uploaded>(this.#service, args)
    assert.equal(uploaded.sent_bytes + uploaded.reused_bytes, bytes.length)
    this.sentBytes += uploaded.sent_bytes
    this.reusedBytes += uploaded.reused_bytes
    this.#kept.add(uploaded.build_id)
    await this.#service.indexChunks(uploaded.build_id)
    return uploaded.build_id
  }

  /** Allows that a build is purged or moved. */
  release(build: string): void {
    this.#kept.delete(build)
    this.#others.push(build)
  }

  async requirePair(folder: string, versions: Pair): Promise<void> {
    const { old, changed } = bytesOf(versions)
    const oldBuild = await this.upload(folder, old)
    const oldPath = join(folder, 'old.pak')
    await writeFile(oldPath, old)
    // Half of the sources can disappear while they are used.
    const isReleasedEarly = versions.seed % 2 === 0
    if (isReleasedEarly) this.release(oldBuild)
    const build = await this.upload(folder, changed)
    if (!isReleasedEarly) this.release(oldBuild)
    for (const reuse of [[], ['--reuse', oldPath]]) {
      const target = join(folder, 'downloaded.pak')
      await jsonInProcess(this.#service, [
        'download',
        build,
        '--application',
        'Game',
        '--output',
        target,
        ...reuse,
      ])
      assert.equal(sha256(await readFile(target)), sha256(changed), `download ${reuse.join(' ')}`)
      await rm(target)
    }
    this.release(build)
  }

  /** Purges and moves builds that are no longer compared until the signal aborts. Returns how many. */
  async disturb(signal: AbortSignal): Promise<{ purged: number; moved: number }> {
    const counts = { purged: 0, moved: 0 }
    for (let turn = 0; !signal.aborted; turn++) {
      const build = this.#others.shift()
      if (build === undefined) {
        await pause(20)
        continue
      }
      const isPurged = turn % 2 === 0
      const args = isPurged ? ['delete', build, '--yes'] : ['move', build, 'stable']
      const { code, stderr } = await runInProcess(this.#service, ['builds', ...args, '--application', 'Game'])
      assert.equal(code, 0, stderr)
      if (isPurged) await this.#service.purge(build)
      else this.#others.push(build)
      counts[isPurged ? 'purged' : 'moved']++
    }
    return counts
  }
}

const stores = { folder: startService, S3: startInS3 }

async function startInS3(): Promise<InProcessService> {
  const { server, release } = await sharedS3Server()
  const service = await startService(s3Environment(server))
  return { ...service, close: () => service.close().finally(release) }
}

for (const [store, start] of Object.entries(stores))
  test(
    `restores ${pairs} random pairs in ${store} while their builds are purged and moved`,
    { skip: store === 'S3' && missingS3Server },
    async (t) => {
      t.diagnostic(`QUAYSIDE_SEED=${seed}`)
      const service = await start()
      t.after(() => service.close())
      await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
      const exchange = new Exchange(service)
      const ended = new AbortController()
      const disturbing = exchange.disturb(ended.signal)
      const writing = Array.from({ length: writers }, async (_, writer) => {
        const folder = join(service.folder, `writer-${writer}`)
        await mkdir(folder)
        await fc.assert(
          fc.asyncProperty(pair, (versions) => exchange.requirePair(folder, versions)),
          {
            numRuns: Math.ceil(pairs / writers),
            seed: seed + writer,
            endOnFailure: true,
            examples: writer === 0 ? [[remaining]] : [],
          },
        )
      })
      const results = await Promise.allSettled(writing)
      ended.abort()
      const { purged, moved } = await disturbing
      for (const result of results) if (result.status === 'rejected') throw result.reason
      t.diagnostic(
        `sent ${exchange.sentBytes} bytes, reused ${exchange.reusedBytes}; purged ${purged} and moved ${moved} builds`,
      )
      assert.ok(exchange.reusedBytes > remaining.size / 2 && purged > 0 && moved > 0)
    },
  )
