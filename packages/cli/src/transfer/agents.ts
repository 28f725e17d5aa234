import type { Agent as HttpAgent, AgentOptions, ClientRequestArgs } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Env } from '../ci/ci-metadata.ts'
import { HashWorker } from './hash-worker.ts'
import { http, https } from './http.ts'
import { withLargeReads } from './large-reads.ts'

/** Connections, buffers and the hashing thread that transfers share. */
export type Agents = {
  http: HttpAgent
  https: HttpsAgent
  buffers: BufferPool
  hashes: HashWorker
  close(): void
}

// Buffers of this size stay in the CPU caches. With 1 MiB, a download took 1.5 times as much CPU time.
export const bufferBytes = 256 * 1024

/** Creates the agents for a command. `proxyEnv` contains the proxy environment variables that are set. */
export function createAgents(proxyEnv: Env): Agents {
  const options: AgentOptions = { keepAlive: true, proxyEnv }
  const usesProxy = Object.keys(proxyEnv).length > 0
  const agents = {
    http: usesProxy ? new http.Agent(options) : new LargeReadHttpAgent(options),
    https: usesProxy ? new https.Agent(options) : new LargeReadHttpsAgent(options),
  }
  const hashes = new HashWorker()
  return {
    ...agents,
    buffers: new BufferPool(),
    hashes,
    close() {
      agents.http.destroy()
      agents.https.destroy()
      hashes.close()
    },
  }
}

/** Memory that the hashing thread can read. */
export type SharedBuffer = { bytes: Buffer; memory: SharedArrayBuffer }

/** Buffers of `bufferBytes` that are reused, because allocating them for each transfer takes measurable time. */
export class BufferPool {
  readonly #free: SharedBuffer[] = []

  take(): SharedBuffer {
    const free = this.#free.pop()
    if (free) return free
    const memory = new SharedArrayBuffer(bufferBytes)
    return { bytes: Buffer.from(memory), memory }
  }

  /** Adds an unused buffer to the pool. */
  give(buffer: SharedBuffer): void {
    this.#free.push(buffer)
  }
}

class LargeReadHttpAgent extends http.Agent {
  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    return super.createConnection(withLargeReads(options), callback)
  }
}

class LargeReadHttpsAgent extends https.Agent {
  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    return super.createConnection(withLargeReads(options), callback)
  }
}
