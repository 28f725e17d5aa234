import pg from 'pg'
import { NamingClient } from './client.ts'
import { translateError, unavailable } from './errors.ts'
import { Liveness } from './liveness.ts'
import { StatementNames } from './statement-names.ts'

type ConnectCallback = (error: unknown, client?: pg.PoolClient, release?: (error?: unknown) => void) => void
type QueryCallback = (error: unknown, result?: pg.QueryResult) => void

const nameLimit = 256
// A queue is no outage: in a burst callers wait this long for a free connection to a server that answers.
const queueTimeoutMilliseconds = 30_000

const rethrow = (error: unknown): never => {
  throw translateError(error)
}

/** A pool that never ends the process, tells a silent server from a slow one and lets nobody wait for a dead one. */
export class WatchedPool extends pg.Pool {
  readonly #clients: Set<NamingClient>
  readonly #waiting = new Set<() => void>()
  readonly #liveness: Liveness

  constructor(config: pg.PoolConfig, onError: (error: Error) => void) {
    const names = new StatementNames(nameLimit)
    const clients = new Set<NamingClient>()
    class Client extends NamingClient {
      constructor(clientConfig: pg.ClientConfig) {
        super(clientConfig, names)
        clients.add(this)
        this.once('end', () => clients.delete(this))
      }
    }
    const own = { ...config, connectionTimeoutMillis: queueTimeoutMilliseconds, Client }
    super(own as unknown as pg.PoolConfig)
    this.#clients = clients
    this.on('error', onError)
    this.#liveness = new Liveness(config, clients, () => {
      for (const refuse of this.#waiting) refuse()
    })
  }

  override connect(callback?: unknown): never {
    const acquiring = this.#acquire()
    if (typeof callback !== 'function') return acquiring as never
    const done = callback as ConnectCallback
    acquiring.then(
      (client) => done(null, client, (error) => client.release(error as Error)),
      (error: unknown) => done(error, undefined, () => {}),
    )
    return undefined as never
  }

  // pg's own answers with the bare error of a connection that breaks meanwhile
  override query(config: unknown, values?: unknown, callback?: unknown): never {
    const done = (typeof values === 'function' ? values : callback) as QueryCallback | undefined
    const answer = this.#query(
      config as string,
      typeof values === 'function' ? undefined : (values as unknown[]),
    )
    if (done === undefined) return answer as never
    answer.then(
      (result) => done(null, result),
      (error: unknown) => done(error),
    )
    return undefined as never
  }

  /** Waits for running work until the time is over, then cuts what is left. */
  async close(timeoutMilliseconds: number): Promise<void> {
    const deadline = setTimeout(() => {
      for (const client of this.#clients) client.destroy()
    }, timeoutMilliseconds)
    try {
      await this.end()
    } finally {
      clearTimeout(deadline)
      this.#liveness.stop()
    }
  }

  async #query(config: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const client = await this.#acquire()
    try {
      return await client.query(config, values)
    } finally {
      client.release()
    }
  }

  async #acquire(): Promise<pg.PoolClient> {
    if (this.#liveness.silent) throw unavailable()
    if (this.idleCount > this.waitingCount) return await super.connect().catch(rethrow)
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    let refused = false
    const refuse = () => {
      refused = true
      reject(unavailable())
    }
    this.#waiting.add(refuse)
    super.connect().then(
      (client) => (refused ? client.release() : resolve(client)),
      (error: unknown) => reject(translateError(error)),
    )
    return await promise.finally(() => this.#waiting.delete(refuse))
  }
}
