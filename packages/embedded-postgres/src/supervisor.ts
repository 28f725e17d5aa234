import { EmbeddedPostgresError } from './error.ts'
import { pause } from './processes.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts'
import type { Log } from './types.ts'

const maxInUseWaitMs = 5_000
const inUsePauseMs = 100
const restartPausesMs = [0, 200, 500, 1_000, 2_000, 5_000]
const stableAfterMs = 30_000

/** Keeps one server running until `stop` is called. */
export class Supervisor {
  readonly #options: ServerOptions
  readonly #log: Log
  readonly #stopping = new AbortController()
  #server: ServerProcess | undefined
  #watching: Promise<void> = Promise.resolve()

  constructor(options: ServerOptions, log: Log) {
    this.#options = options
    this.#log = log
  }

  get pid(): number | undefined {
    return this.#server?.pid
  }

  async start(): Promise<void> {
    const server = await this.#startWhenFree()
    this.#watching = this.#watch(server)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#server?.stop()
    await this.#watching
  }

  async #watch(first: ServerProcess): Promise<void> {
    let server = first
    for (;;) {
      const started = performance.now()
      const exit = await server.exited
      this.#server = undefined
      if (this.#stopping.signal.aborted) return
      this.#log.error(exit, 'PostgreSQL exited unexpectedly; restarting it')
      const restarted = await this.#restart(performance.now() - started > stableAfterMs ? 0 : 1)
      if (restarted === undefined) return
      this.#log.info({ serverPid: restarted.pid }, 'PostgreSQL is running again')
      server = restarted
    }
  }

  /** Restarts the server. Retries indefinitely, because the cause may be temporary. Returns undefined when stopped. */
  async #restart(firstAttempt: number): Promise<ServerProcess | undefined> {
    for (let attempt = firstAttempt; ; attempt++) {
      await pause(restartPausesMs[Math.min(attempt, restartPausesMs.length - 1)] ?? 0)
      if (this.#stopping.signal.aborted) return undefined
      try {
        return await this.#startWhenFree()
      } catch (error) {
        if (this.#stopping.signal.aborted) return undefined
        this.#log.error({ err: error }, 'PostgreSQL cannot be restarted; retrying')
      }
    }
  }

  /**
   * Starts the server once the folder is free. A killed server occupies the folder until its last process has exited.
   */
  async #startWhenFree(): Promise<ServerProcess> {
    const deadline = performance.now() + maxInUseWaitMs
    for (;;) {
      try {
        this.#server = await startServer(this.#options, this.#stopping.signal)
        return this.#server
      } catch (error) {
        const isInUse = error instanceof EmbeddedPostgresError && error.code === 'in_use'
        if (!isInUse || performance.now() > deadline || this.#stopping.signal.aborted) throw error
        await pause(inUsePauseMs)
      }
    }
  }
}
