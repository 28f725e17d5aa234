import pg from 'pg'
import { isConnectionLoss } from './errors.ts'

const tickMs = 200
const maxSilenceMs = 1_500
const maxProbeTicks = 6
const ticksBetweenProbes = 8

export type Watched = { readonly busySince: number; destroy(): void }

type Options = {
  connection: pg.ClientConfig
  watched: ReadonlyMap<unknown, Watched>
  /** Called when the server does not respond to a probe. */
  onSilent: () => void
  /** Returns the statement for the next probe. It may also cancel blocked statements. */
  probeStatement: () => pg.QueryConfig
}

type Probe = { client: pg.Client; ticks: number; outcome: 'none' | 'alive' | 'lost' }

/**
 * Distinguishes a slow statement from an unresponsive server. While a response is overdue, a new connection runs a
 * probe. If the probe gets no response, the overdue connections are closed and callers are rejected until the server
 * responds. Time is measured in timer ticks, so that stalls of this process do not count.
 */
export class Liveness {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #probe: Probe | undefined
  #pauseTicks = 0
  #isSilent = false

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => this.#tick(), tickMs).unref()
  }

  /** Whether the server did not respond to the last probe. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#endProbe()
  }

  #tick(): void {
    if (this.#probe !== undefined) this.#evaluate(this.#probe)
    else if (this.#isSilent || (this.#pauseTicks-- <= 0 && this.#overdue().length > 0)) this.#startProbe()
  }

  #overdue(): Watched[] {
    const before = performance.now() - maxSilenceMs
    return [...this.#options.watched.values()].filter(
      ({ busySince }) => busySince !== 0 && busySince < before,
    )
  }

  #startProbe(): void {
    const client = new pg.Client(this.#options.connection)
    client.on('error', () => {})
    const probe: Probe = { client, ticks: 0, outcome: 'none' }
    this.#probe = probe
    client
      .connect()
      .then(() => client.query(this.#options.probeStatement()))
      .then(
        () => (probe.outcome = 'alive'),
        // Any response, even an error, shows that the server is alive.
        (error: unknown) => (probe.outcome = isConnectionLoss(error) ? 'lost' : 'alive'),
      )
  }

  #evaluate(probe: Probe): void {
    probe.ticks++
    if (probe.outcome === 'none' && probe.ticks < maxProbeTicks) return
    this.#endProbe()
    this.#pauseTicks = ticksBetweenProbes
    this.#isSilent = probe.outcome !== 'alive'
    if (!this.#isSilent) return
    for (const watched of this.#overdue()) watched.destroy()
    this.#options.onSilent()
  }

  #endProbe(): void {
    const client = this.#probe?.client
    this.#probe = undefined
    if (client !== undefined) void client.end().catch(() => {})
  }
}
