import pg from 'pg'
import { isConnectionLoss } from './errors.ts'

const tickMilliseconds = 200
const silenceMilliseconds = 1_500
const probeTicks = 6
const restTicks = 8

export type Watched = { readonly busySince: number; destroy(): void }

type Probe = { client: pg.Client; ticks: number; answer: 'none' | 'alive' | 'lost' }

/**
 * Tells a slow statement from a server that says nothing any more. While an answer is overdue a fresh
 * connection asks `select 1`; when that stays silent too, the overdue connections are cut and callers are
 * refused at once until the server answers again. Time counts in rounds of the event loop: when this
 * process itself is behind, nobody is declared dead for it.
 */
export class Liveness {
  readonly #connection: pg.ClientConfig
  readonly #watched: Iterable<Watched>
  readonly #onSilent: () => void
  readonly #timer: NodeJS.Timeout
  #probe: Probe | undefined
  #rest = 0
  #silent = false

  constructor(connection: pg.ClientConfig, watched: Iterable<Watched>, onSilent: () => void) {
    this.#connection = connection
    this.#watched = watched
    this.#onSilent = onSilent
    this.#timer = setInterval(() => this.#tick(), tickMilliseconds).unref()
  }

  /** The server was found silent and has not answered since. */
  get silent(): boolean {
    return this.#silent
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#endProbe()
  }

  #tick(): void {
    if (this.#probe !== undefined) this.#judge(this.#probe)
    else if (this.#silent || (this.#rest-- <= 0 && this.#overdue().length > 0)) this.#ask()
  }

  #overdue(): Watched[] {
    const before = performance.now() - silenceMilliseconds
    return [...this.#watched].filter(({ busySince }) => busySince !== 0 && busySince < before)
  }

  #ask(): void {
    const client = new pg.Client(this.#connection)
    client.on('error', () => {})
    const probe: Probe = { client, ticks: 0, answer: 'none' }
    this.#probe = probe
    client
      .connect()
      .then(() => client.query('select 1'))
      .then(
        () => (probe.answer = 'alive'),
        // whatever else it answers, it lives
        (error: unknown) => (probe.answer = isConnectionLoss(error) ? 'lost' : 'alive'),
      )
  }

  #judge(probe: Probe): void {
    probe.ticks++
    if (probe.answer === 'none' && probe.ticks < probeTicks) return
    this.#endProbe()
    this.#rest = restTicks
    this.#silent = probe.answer !== 'alive'
    if (!this.#silent) return
    for (const watched of this.#overdue()) watched.destroy()
    this.#onSilent()
  }

  #endProbe(): void {
    const client = this.#probe?.client
    this.#probe = undefined
    if (client !== undefined) void client.end().catch(() => {})
  }
}
