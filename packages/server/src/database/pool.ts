import { Socket } from 'node:net'
import pg from 'pg'
import { Activity, DatabaseClient, type StatementObserver } from './client.ts'
import { allConnectionsBusy, translateError, unavailable } from './errors.ts'
import { Liveness } from './liveness.ts'
import { StatementNames } from './statement-names.ts'
import { targetOf, type Target } from './target.ts'

const maxStatementNames = 256
const connectTickMs = 200
const maxConnectTicks = 15

// By default, PostgreSQL underestimates how long it takes to start parallel workers. Listing builds with a rare label
// took twice as long with parallel workers as without.
const ownSettings = `set parallel_setup_cost to 10000`
// PgBouncer tracks these settings for each client.
const trackedSettings = `set timezone to 'UTC'; set datestyle to 'ISO'`

type Session = { processID: number | null }

type PoolOptions = {
  /** Whether the connections lead to a connection pooler in transaction mode. */
  isPooled: boolean
  observe: StatementObserver | undefined
  isDiskFull: (() => boolean) | undefined
  onError: (error: Error) => void
  /** Called once if the pooler does not support prepared statements. */
  onUnprepared: () => void
}

const cancelBlocked = `
  with sessions as materialized (
    select pid, wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1 second' as is_blocked
    from pg_stat_activity where pid = any($1::int[]))
  select pg_cancel_backend(pid) from sessions where (select bool_and(coalesce(is_blocked, false)) from sessions)`

/** A pool that survives lost connections and rejects callers immediately while the server is unresponsive. */
export class DatabasePool {
  readonly target: Target
  readonly #pool: pg.Pool
  readonly #names: StatementNames
  readonly #isPooled: boolean
  readonly #activities = new Map<pg.ClientBase, Activity>()
  readonly #clients = new WeakMap<pg.ClientBase, DatabaseClient>()
  readonly #waiting = new Set<() => void>()
  readonly #liveness: Liveness
  readonly #observe: StatementObserver | undefined
  readonly #isDiskFull: (() => boolean) | undefined

  /** Creates a pool. `config.connectionTimeoutMillis` limits how long callers wait for a free connection. */
  constructor(config: pg.PoolConfig, { isPooled, observe, isDiskFull, onError, onUnprepared }: PoolOptions) {
    this.target = targetOf(config)
    this.#isPooled = isPooled
    this.#observe = observe
    this.#isDiskFull = isDiskFull
    this.#names = new StatementNames(maxStatementNames, onUnprepared)
    const activities = this.#activities
    // pg would use the queue timeout as the timeout for opening a connection.
    class Client extends pg.Client {
      constructor() {
        const socket = new Socket()
        super({ ...config, connectionTimeoutMillis: 0, stream: () => socket })
        limitConnecting(this, socket)
        const activity = new Activity(socket)
        activities.set(this, activity)
        activity.begin()
        this.once('end', () => activities.delete(this))
        // A connection lost while in use emits this event. Without a listener, the event would crash the process.
        this.on('error', () => {})
      }
    }
    const sessionSettings = isPooled ? trackedSettings : `${trackedSettings}; ${ownSettings}`
    const onConnect = (client: pg.ClientBase) => client.query(sessionSettings)
    // oxlint-disable-next-line typescript/no-misused-promises -- pg awaits it, although its types declare void
    this.#pool = new pg.Pool({ ...config, Client, onConnect })
    this.#pool.on('connect', (client) => activities.get(client)?.end())
    this.#pool.on('error', onError)
    this.#liveness = new Liveness({
      connection: config,
      watched: activities,
      onSilent: () => {
        for (const refuse of this.#waiting) refuse()
      },
      probeStatement: () => this.#probeStatement(),
    })
  }

  /** Returns a connection of the pool. Always returns the same object for it, because Kysely keeps a record for each. */
  async connect(): Promise<DatabaseClient> {
    if (this.#liveness.isSilent) throw unavailable()
    const isIdle = this.#pool.idleCount > this.#pool.waitingCount
    const client = await (isIdle ? this.#pool.connect() : this.#waitForClient()).catch((error: unknown) => {
      throw isQueueTimeout(error) ? allConnectionsBusy({ cause: error }) : translateError(error)
    })
    const connected = this.#clients.get(client)
    if (connected !== undefined) return connected
    const activity = this.#activities.get(client)
    if (activity === undefined) {
      client.release(true)
      throw unavailable()
    }
    const created = new DatabaseClient(client, activity, {
      names: this.#names,
      observe: this.#observe,
      isDiskFull: this.#isDiskFull,
    })
    this.#clients.set(client, created)
    return created
  }

  /** Waits for a connection. Throws an `unavailable` Problem as soon as the server does not respond to a probe. */
  async #waitForClient(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    const refuse = () => {
      this.#waiting.delete(refuse)
      reject(unavailable())
    }
    this.#waiting.add(refuse)
    this.#pool
      .connect()
      .then((client) => (this.#waiting.has(refuse) ? resolve(client) : client.release()), reject)
    return promise.finally(() => this.#waiting.delete(refuse))
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

  /**
   * Returns the statement for the next probe. If all connections are waiting for locks while callers are waiting for a
   * connection, the probe also cancels the waiting statements. In that case, the lock is held outside this pool, for
   * example in psql, and would block even callers that need other tables.
   */
  #probeStatement(): pg.QueryConfig {
    // A pooler does not report the process IDs of the server.
    if (this.#isPooled || this.#pool.waitingCount === 0 || this.#pool.idleCount > 0)
      return { text: 'select 1' }
    const pids = [...this.#activities.keys()].map((client) => (client as unknown as Session).processID)
    return { text: cancelBlocked, values: [pids] }
  }

  /** Returns the number of connections by state and of callers that wait for one. */
  usage(): { used: number; idle: number; waiting: number; max: number } {
    const { totalCount, idleCount, waitingCount, options } = this.#pool
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max }
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

/**
 * Closes a connection that is not open after 3 seconds. As in Liveness, stalls of this process do not count: after one,
 * the timeout of pg would expire before the response that has arrived is read.
 */
function limitConnecting(client: pg.Client, socket: Socket): void {
  let ticks = 0
  const tick = () => {
    if (++ticks === maxConnectTicks) socket.destroy(new Error('timeout expired'))
  }
  const timer = setInterval(tick, connectTickMs).unref()
  for (const event of ['connect', 'end'] as const) client.once(event, () => clearInterval(timer))
}

const isQueueTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'
