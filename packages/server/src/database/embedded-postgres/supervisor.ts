import { Problem } from '../../lib/problem.ts'
import { pause } from './processes.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts'

export type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

const inUsePatienceMilliseconds = 5_000
const inUsePauseMilliseconds = 100
const restartPauses = [0, 200, 500, 1_000, 2_000, 5_000]
const steadyMilliseconds = 30_000

/** Keeps one server running until it is told to stop. */
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
    const server = await this.#startPatiently()
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
      this.#log.error(exit, 'PostgreSQL ended by itself; starting it again')
      const restarted = await this.#restart(performance.now() - started > steadyMilliseconds ? 0 : 1)
      if (restarted === undefined) return
      this.#log.info({ serverPid: restarted.pid }, 'PostgreSQL runs again')
      server = restarted
    }
  }

  /** Tries for as long as it takes: a full disk may have room again. Undefined when told to stop. */
  async #restart(firstAttempt: number): Promise<ServerProcess | undefined> {
    for (let attempt = firstAttempt; ; attempt++) {
      await pause(restartPauses[Math.min(attempt, restartPauses.length - 1)] ?? 0)
      if (this.#stopping.signal.aborted) return undefined
      try {
        return await this.#startPatiently()
      } catch (error) {
        if (this.#stopping.signal.aborted) return undefined
        this.#log.error({ err: error }, 'PostgreSQL can not be started; trying again')
      }
    }
  }

  /** What a killed server leaves in memory is there until its last process has noticed. */
  async #startPatiently(): Promise<ServerProcess> {
    const deadline = performance.now() + inUsePatienceMilliseconds
    for (;;) {
      try {
        this.#server = await startServer(this.#options, this.#stopping.signal)
        return this.#server
      } catch (error) {
        const isInUse = error instanceof Problem && error.code === 'embedded_postgres.in_use'
        if (!isInUse || performance.now() > deadline || this.#stopping.signal.aborted) throw error
        await pause(inUsePauseMilliseconds)
      }
    }
  }
}
