import type { Socket } from 'node:net'
import type pg from 'pg'
import {
  isLostStatement,
  isReadOnlyError,
  isRetryable,
  isStalePlan,
  outOfSpace,
  tooManyConflicts,
  translateError,
} from './errors.ts'
import type { StatementNames } from './statement-names.ts'

/** Tracks how long a connection has been waiting for the server. */
export class Activity {
  readonly #socket: Socket
  #pending = 0
  #busySince = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /**
   * The time, from performance.now(), at which the connection started waiting for the server; 0 if it is not waiting.
   */
  get busySince(): number {
    return this.#busySince
  }

  begin(): void {
    if (this.#pending++ === 0) this.#busySince = performance.now()
  }

  end(): void {
    this.#busySince = --this.#pending === 0 ? 0 : performance.now()
  }

  /** Closes the socket, because a graceful disconnect could wait indefinitely. */
  destroy(): void {
    this.#socket.destroy()
  }
}

/** Called before a statement. Returns the function to call after it, with the error if it failed. */
export type StatementObserver = (text: string) => (error?: unknown) => void

/** A connection checked out of the pool. Prepares statements by name and translates database errors. */
export class DatabaseClient {
  readonly #client: pg.PoolClient
  readonly #activity: Activity
  readonly #names: StatementNames
  readonly #observe: StatementObserver | undefined
  readonly #isDiskFull: (() => boolean) | undefined

  constructor(
    client: pg.PoolClient,
    activity: Activity,
    {
      names,
      observe,
      isDiskFull,
    }: {
      names: StatementNames
      observe: StatementObserver | undefined
      isDiskFull: (() => boolean) | undefined
    },
  ) {
    this.#client = client
    this.#activity = activity
    this.#names = names
    this.#observe = observe
    this.#isDiskFull = isDiskFull
  }

  async query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const query = { text, ...(values && { values }) }
    const name = values && this.#names.nameOf(text, values.length)
    const isInTransaction = this.getTransactionStatus() !== 'I'
    this.#activity.begin()
    try {
      return await this.#send<Row>(name === undefined ? query : { ...query, name })
    } catch (error) {
      if (!isRetryable(error)) throw this.#translate(error)
      if (isLostStatement(error)) this.#names.stop()
      else if (isStalePlan(error)) this.#names.bar(text)
      // Within a transaction, including its commit, the error is thrown so that inTransaction retries the transaction.
      if (isInTransaction) throw error
      return await this.#send<Row>(query).catch((second: unknown) => {
        throw isRetryable(second) ? tooManyConflicts({ cause: second }) : this.#translate(second)
      })
    } finally {
      this.#activity.end()
    }
  }

  #translate(error: unknown): unknown {
    return isReadOnlyError(error) && this.#isDiskFull?.() === true
      ? outOfSpace({ cause: error })
      : translateError(error)
  }

  async #send<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const end = this.#observe?.(query.text)
    if (end === undefined) return this.#sendUnobserved<Row>(query)
    try {
      const result = await this.#sendUnobserved<Row>(query)
      end()
      return result
    } catch (error) {
      end(error)
      throw error
    }
  }

  /** Uses a callback. With the promises of pg, V8 frees results, 4 KB each, only when it collects the whole heap. */
  #sendUnobserved<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#client.query<Row>(query, (error: Error | null, result) => {
        if (error === null) resolve(result)
        else reject(error)
      })
    })
  }

  getTransactionStatus(): ReturnType<pg.ClientBase['getTransactionStatus']> {
    return this.#client.getTransactionStatus()
  }

  /** Returns the connection to the pool, or closes it if `destroy` is truthy. */
  release(destroy?: Error | boolean): void {
    this.#client.release(destroy)
  }
}
