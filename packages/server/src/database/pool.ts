import { Socket } from 'node:net'
import pg from 'pg'
import { Activity, DatabaseClient } from './client.ts'
import { translateError, unavailable } from './errors.ts'
import { Liveness } from './liveness.ts'
import { StatementNames } from './statement-names.ts'

const maxStatementNames = 256
const connectTimeoutMs = 3_000
// In a burst, callers wait up to this long for a free connection while the server responds.
const queueTimeoutMs = 30_000

/** A pool that survives lost connections and rejects callers immediately while the server is unresponsive. */
export class DatabasePool {
  readonly #pool: pg.Pool
  readonly #names = new StatementNames(maxStatementNames)
  readonly #activities = new Map<pg.ClientBase, Activity>()
  readonly #waiting = new Set<() => void>()
  readonly #liveness: Liveness

  constructor(config: pg.PoolConfig, onError: (error: Error) => void) {
    const activities = this.#activities
    // Without this class, the pool would use its queue timeout as the connection timeout.
    class Client extends pg.Client {
      constructor() {
        const socket = new Socket()
        super({ ...config, connectionTimeoutMillis: connectTimeoutMs, stream: () => socket })
        const activity = new Activity(socket)
        activities.set(this, activity)
        activity.begin()
        this.once('end', () => activities.delete(this))
        // A connection lost while in use emits this event, which would end the process without a listener.
        this.on('error', () => {})
      }
    }
    const onConnect = (client: pg.ClientBase) => client.query(`set timezone to 'UTC'; set datestyle to 'ISO'`)
    // oxlint-disable-next-line typescript/no-misused-promises -- pg awaits it, although its types declare void
    this.#pool = new pg.Pool({ ...config, connectionTimeoutMillis: queueTimeoutMs, Client, onConnect })
    this.#pool.on('connect', (client) => activities.get(client)?.end())
    this.#pool.on('error', onError)
    this.#liveness = new Liveness(config, activities, () => {
      for (const refuse of this.#waiting) refuse()
    })
  }

  async connect(): Promise<DatabaseClient> {
    if (this.#liveness.isSilent) throw unavailable()
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    const refuse = () => {
      this.#waiting.delete(refuse)
      reject(unavailable())
    }
    this.#waiting.add(refuse)
    this.#pool.connect().then(
      (client) => (this.#waiting.has(refuse) ? resolve(client) : client.release()),
      (error: unknown) => reject(translateError(error)),
    )
    const client = await promise.finally(() => this.#waiting.delete(refuse))
    const activity = this.#activities.get(client)
    if (activity !== undefined) return new DatabaseClient(client, activity, this.#names)
    client.release(true)
    throw unavailable()
  }

  async query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const client = await this.connect()
    try {
      return await client.query<Row>(text, values)
    } finally {
      client.release()
    }
  }

  /** Waits for running work until the timeout, then closes the remaining connections. */
  async close(timeoutMs: number): Promise<void> {
    const deadline = setTimeout(() => {
      for (const activity of this.#activities.values()) activity.destroy()
    }, timeoutMs)
    try {
      await this.#pool.end()
    } finally {
      clearTimeout(deadline)
      this.#liveness.stop()
    }
  }
}
