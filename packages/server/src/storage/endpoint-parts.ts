import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import type { Patience } from './arriving-body.ts'
import type { SealedObject } from './driver.ts'
import type { LocalLayout } from './local-layout.ts'
import type { PartWriter } from './part-writer.ts'
import type { UrlSigner } from './signed-url.ts'
import type { SlabPool } from './slabs.ts'

export type EndpointParts = {
  layout: LocalLayout
  signer: UrlSigner
  writer: PartWriter
  slabs: SlabPool
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn' | 'error'>
  patience: Patience
  /** The manifest of a key, or undefined when there is no such object any more. */
  lookup: (key: string) => Promise<SealedObject | undefined>
  /** Where a reverse proxy serves the storage folder from (`X-Accel-Redirect`); undefined sends the bytes from here. */
  acceleratedLocation: string | undefined
}
