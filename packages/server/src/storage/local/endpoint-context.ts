import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { SealedObject } from '../driver.ts'
import type { BufferPool } from '../objects/buffer-pool.ts'
import type { SendContext } from '../transfer/send-chunks.ts'
import type { UrlSigner } from '../transfer/signed-url.ts'
import type { Accelerate } from './acceleration.ts'
import type { Staging } from './local-staging.ts'
import type { OpenPuts } from './open-puts.ts'

export type EndpointContext = Staging &
  SendContext & {
    signer: UrlSigner
    openPuts: OpenPuts
    buffers: BufferPool
    clock: Pick<Clock, 'now'>
    log: Pick<Logger, 'warn' | 'error'>
    metrics: Pick<Metrics, 'recordDamagedFile' | 'startTransfer'>
    /** Returns the manifest of a sealed object, or undefined if the object no longer exists. */
    findObject: (key: string) => Promise<SealedObject | undefined>
    /** Delegates downloads to nginx; undefined to send all files directly. */
    accelerate: Accelerate | undefined
  }
