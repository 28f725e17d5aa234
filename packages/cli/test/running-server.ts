import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/test/acceptance/free-port.ts'

export const bootstrapKey = 'bootstrap-key-of-the-cli-tests-0123456789'
const serverProgram = fileURLToPath(new URL('../../server/bin/quayside-server.js', import.meta.url))

/** A running server. Clients reach it through a gate that can pause the traffic. */
export type Service = {
  url: string
  /** URL that reaches the server without passing through the gate. */
  directUrl: string
  gate: Gate
  folder: string
  close(): Promise<void>
}

export type InProcessService = Service & {
  /** Computes the chunk indexes of a build, as a job does every minute. */
  indexChunks(buildId: string): Promise<void>
  /** Creates the patch from the previous build, as a job does after the chunk index was computed. */
  createPatch(buildId: string): Promise<void>
  /** Replaces the patch to a build. Its checksum is that of the new bytes. */
  changePatch(buildId: string, change: (patch: Buffer) => Buffer): Promise<void>
  /** Gives one of two builds of the same size the chunk index of the other. */
  confuseIndexes(buildId: string, otherId: string): Promise<void>
  /** Deletes a build in the trash and every stored file that nothing uses, as jobs do days later. */
  purge(buildId: string): Promise<void>
}

/** A server in a separate process that can be killed and restarted. */
export type ServerProcess = Service & {
  kill(): Promise<void>
  start(): Promise<void>
}

/** A TCP proxy that pauses all traffic after a given number of bytes in one direction. */
export type Gate = {
  /** Resolves when this many bytes have passed and all traffic is paused. */
  holdAfter(bytes: number, direction?: 'up' | 'down'): Promise<void>
  release(): void
  /** Closes all connections, and any new ones until `release` is called, as if the server had been killed. */
  disconnect(): void
  /** Resolves when the connections opened since `holdAfter` are closed. */
  drained(): Promise<void>
  /** Returns the number of bytes sent to the server since `holdAfter`. */
  sent(): number
  /** Resolves when the next client connects. */
  nextClient(): Promise<void>
}

/**
 * Starts a server in the test's own process, which takes a fifth of the CPU time of a separate process with an embedded
 * database. `settings` are additional environment variables.
 */
export async function startService(settings: Record<string, string> = {}): Promise<InProcessService> {
  const { folder, service, environment, closeGate } = await prepare(settings)
  // The dynamic import keeps test files that start only a server process from loading the server themselves.
  const { startApp } = await import('../../server/test/start-app.ts')
  const { indexBuild } = await import('../../server/src/features/builds/chunks/index-build.ts')
  const { patchesOf } = await import('../../server/test/offered-patches.ts')
  const { ageDeletedObjects, purgeBuild } = await import('../../server/test/aging.ts')
  const { deleteMarkedObjects } =
    await import('../../server/src/storage/objects/delete-marked-objects.job.ts')
  const { deps, stop } = await startApp(environment)
  return {
    ...service,
    async indexChunks(buildId) {
      await indexBuild(deps, buildId, new AbortController().signal)
    },
    ...patchesOf(deps),
    async confuseIndexes(buildId, otherId) {
      const indexOf = (id: string) =>
        deps.db
          .selectFrom('chunk_indexes')
          .innerJoin('files', 'files.id', 'file_id')
          .select(['file_id', 'chunk_indexes.object_key'])
          .where('build_id', '=', id)
          .executeTakeFirstOrThrow()
      const [index, other] = [await indexOf(buildId), await indexOf(otherId)]
      const replace = ({ file_id }: { file_id: string }, object_key: string) =>
        deps.db.updateTable('chunk_indexes').set({ object_key }).where('file_id', '=', file_id).execute()
      await deps.db.deleteFrom('chunk_indexes').where('file_id', '=', other.file_id).execute()
      await replace(index, other.object_key)
    },
    async purge(buildId) {
      await purgeBuild({ deps }, buildId)
      await ageDeletedObjects({ deps }, 8)
      await deleteMarkedObjects(deps)
    },
    async close() {
      closeGate()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a server as an administrator does: in a separate process with an embedded database. */
export async function startServerProcess(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const { folder, service, environment, closeGate } = await prepare(settings)
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(process.execPath, [serverProgram], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await untilReady(`${service.directUrl}/readyz`, child)
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  await start()
  return {
    ...service,
    start,
    kill: () => end('SIGKILL'),
    async close() {
      closeGate()
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates the folder and the gate of a server, and returns them with its environment variables. */
async function prepare(settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-cli-test-'))
  const port = await freePort()
  const { gate, close: closeGate, port: gatePort } = await openGate(port)
  const url = `http://127.0.0.1:${gatePort}`
  const environment = {
    QUAYSIDE_PORT: String(port),
    QUAYSIDE_PUBLIC_URL: url,
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_BOOTSTRAP_KEY: bootstrapKey,
    QUAYSIDE_CHUNK_THRESHOLD_MB: '5',
    QUAYSIDE_PART_SIZE_MB: '5',
    QUAYSIDE_RATE_LIMIT: '0',
    QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
    QUAYSIDE_LOG_LEVEL: 'fatal',
    ...settings,
  }
  const service = { url, directUrl: `http://127.0.0.1:${port}`, gate, folder }
  return { folder, service, environment, closeGate }
}

async function openGate(upstreamPort: number) {
  const pairs = new Set<[Socket, Socket]>()
  const passed = { up: 0, down: 0 }
  let limit: { bytes: number; direction: 'up' | 'down'; reached: () => void } | undefined
  let held = false
  let disconnected = false
  let earlier = new Set<[Socket, Socket]>()
  const hold = (value: boolean) => {
    held = value
    for (const socket of [...pairs].flat()) {
      if (value) socket.pause()
      else socket.resume()
    }
  }
  const count = (direction: 'up' | 'down', bytes: number) => {
    passed[direction] += bytes
    if (!limit || limit.direction !== direction || passed[direction] < limit.bytes) return
    hold(true)
    limit.reached()
    limit = undefined
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (disconnected) {
      client.destroy()
      return
    }
    const upstream = connect(upstreamPort, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    forward(
      client,
      upstream,
      (bytes) => count('up', bytes),
      () => held,
    )
    forward(
      upstream,
      client,
      (bytes) => count('down', bytes),
      () => held,
    )
    client.on('close', () => pairs.delete(pair))
    if (held) hold(true)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gate: Gate = {
    async holdAfter(bytes, direction = 'up') {
      passed[direction] = 0
      earlier = new Set(pairs)
      await new Promise<void>((resolve) => {
        limit = { bytes, direction, reached: resolve }
      })
    },
    release() {
      limit = undefined
      disconnected = false
      hold(false)
    },
    disconnect() {
      disconnected = true
      for (const [client] of pairs) client.destroy()
    },
    async drained() {
      // Commands that run in the test's own process keep earlier connections open for reuse, so only new ones close.
      const opened = [...pairs].filter((pair) => !earlier.has(pair))
      await Promise.all(opened.map(([client]) => once(client, 'close')))
    },
    sent: () => passed.up,
    async nextClient() {
      await once(server, 'connection')
    },
  }
  const close = () => {
    gate.release()
    server.close()
  }
  return { gate, close, port: (server.address() as AddressInfo).port }
}

function forward(from: Socket, to: Socket, count: (bytes: number) => void, isHeld: () => boolean): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause()
    count(bytes.length)
  })
  to.on('drain', () => {
    if (!isHeld()) from.resume()
  })
  from.on('end', () => to.end())
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
}
