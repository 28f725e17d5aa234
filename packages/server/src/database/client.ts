import pg from 'pg'
import { isStalePlan, translateError } from './errors.ts'
import type { StatementNames } from './statement-names.ts'

type ConnectCallback = (error: unknown, client?: pg.Client) => void
type QueryCallback = (error: unknown, result?: pg.QueryResult) => void
type NamedConfig = pg.QueryConfig & { text: string }

const connectTimeoutMilliseconds = 3_000

// Methods that pg's own classes call on themselves and that its types leave out.
const Base = pg.Client as unknown as new (
  config: pg.ClientConfig,
) => pg.Client & { getStartupConf(): Record<string, string>; connection: { stream: { destroy(): void } } }

/** A connection that prepares statements by name, speaks UTC and turns errors into what callers may see. */
export class NamingClient extends Base {
  readonly #names: StatementNames
  #pending = 0
  #busySince = 0

  constructor(config: pg.ClientConfig, names: StatementNames) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMilliseconds })
    this.#names = names
    // pg says by this event that a connection was lost in use; without a listener it ends the process
    this.on('error', () => {})
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: 'UTC', DateStyle: 'ISO' }
  }

  /** Since when (performance.now()) an answer is awaited; 0 when none is. */
  get busySince(): number {
    return this.#busySince
  }

  /** Cuts the connection where an orderly goodbye could wait for ever. */
  destroy(): void {
    this.connection.stream.destroy()
  }

  override connect(callback?: unknown): never {
    this.#begin()
    const connecting = super.connect().finally(() => this.#end())
    if (typeof callback !== 'function') return connecting as never
    const done = callback as ConnectCallback
    connecting.then(
      () => done(null, this),
      (error: unknown) => done(error),
    )
    return undefined as never
  }

  override query(config: unknown, values?: unknown, callback?: unknown): never {
    if (typeof config === 'object' && config !== null && 'submit' in config) {
      return super.query(config as pg.Submittable) as never
    }
    const done = (typeof values === 'function' ? values : callback) as QueryCallback | undefined
    const given = typeof config === 'string' ? { text: config } : (config as NamedConfig)
    const asked: NamedConfig = Array.isArray(values) ? { ...given, values } : given
    const answer = this.#run(asked)
    if (done === undefined) return answer as never
    answer.then(
      (result) => done(null, result),
      (error: unknown) => done(error),
    )
    return undefined as never
  }

  async #run(asked: NamedConfig): Promise<pg.QueryResult> {
    const { values, text } = asked
    const name = asked.name ?? (values === undefined ? undefined : this.#names.nameOf(text, values.length))
    this.#begin()
    try {
      return await super.query(name === undefined ? asked : { ...asked, name })
    } catch (error) {
      if (!isStalePlan(error)) throw translateError(error)
      this.#names.bar(text)
      // 'T' and 'E': the transaction is lost, and whoever began it repeats it
      if (this.getTransactionStatus() !== 'I') throw error
      return await super.query(asked).catch((second: unknown) => {
        throw translateError(second)
      })
    } finally {
      this.#end()
    }
  }

  #begin(): void {
    if (this.#pending++ === 0) this.#busySince = performance.now()
  }

  #end(): void {
    this.#busySince = --this.#pending === 0 ? 0 : performance.now()
  }
}
