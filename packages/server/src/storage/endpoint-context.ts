import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Turns } from '../lib/turns.ts'
import type { Accelerate } from './acceleration.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { SealedObject } from './driver.ts'
import type { Staging } from './local-staging.ts'
import type { OpenPuts } from './open-puts.ts'
import type { StallLimit } from './request-body.ts'
import type { SendWindows } from './send-windows.ts'
import type { UrlSigner } from './signed-url.ts'

export type EndpointContext = Staging & {
  signer: UrlSigner
  openPuts: OpenPuts
  buffers: BufferPool
  /** Limits how many buffers are sent per iteration of the event loop, so that API requests do not wait for many. */
  sendTurns: Turns
  sendWindows: SendWindows
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<Metrics, 'recordDamagedFile' | 'startTransfer'>
  stallLimit: StallLimit
  /** Returns the manifest of a sealed object, or undefined if the object no longer exists. */
  findObject: (key: string) => Promise<SealedObject | undefined>
  /** Delegates downloads to nginx; undefined to send all files directly. */
  accelerate: Accelerate | undefined
}
