import type { IncomingMessage, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { DiskReserve } from '../../config/files.ts'
import type { Clock } from '../../lib/clock.ts'
import { noMetrics, type Metrics } from '../../lib/metrics.ts'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { createBufferPool } from '../objects/buffer-pool.ts'
import { createFreeSpace } from '../objects/free-space.ts'
import { createHashPool } from '../objects/hashing.ts'
import { createPartWriter } from '../objects/part-writer.ts'
import { translateErrors } from '../storage-errors.ts'
import type { StallLimit } from '../transfer/request-body.ts'
import { defaultStallLimit, maxSendsPerIteration } from '../transfer/send-chunks.ts'
import { createSendWindows } from '../transfer/send-windows.ts'
import { createUrlSigner } from '../transfer/signed-url.ts'
import { createTurns } from '../turns.ts'
import { createAccelerate, shareStorageFolder } from './acceleration.ts'
import { createAttempts } from './attempts.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { serveStorage } from './local-endpoint.ts'
import { checkWritable, removeFolder } from './local-folders.ts'
import { createLocalIdentity } from './local-identity.ts'
import { localLayout, prepareFolders } from './local-layout.ts'
import { findSealed, storeContent } from './local-objects.ts'
import {
  quarantineOperations,
  readOperations,
  signOperations,
  stagingOperations,
} from './local-operations.ts'
import { startSweeping } from './local-sweep.ts'
import { createOpenPuts, type OpenPutLimits } from './open-puts.ts'

export type LocalDriverOptions = {
  /** The storage folder, created if missing. Several servers may share it. */
  directory: string
  publicUrl: string
  /** The configured master secret. */
  secret: string
  /** The master secret before the last change; URLs signed with it stay valid. */
  previousSecret?: string | undefined
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Default: transfers are not counted. */
  metrics?: Metrics
  /** Returns the manifest that downloads of a sealed key are served from, or undefined if it no longer exists. */
  findObject: (key: string) => Promise<SealedObject | undefined>
  /** Space to keep free on the disk. Default: 5% of the disk, at least 512 MiB and at most 20 GiB. */
  diskReserve?: DiskReserve | undefined
  /** Number of inodes to keep free. Default: 5% of all inodes or 10,000, whichever is fewer. */
  reservedFreeFiles?: number
  /** Limits on concurrent PUTs. */
  openPutLimits?: OpenPutLimits
  /** Limits on concurrent disk calls; their sum must be less than the number of libuv threads. */
  diskLimits?: { reads: number; writes: number }
  /**
   * Whether this is the only process that uses the folder. If so, everything in tmp/ is left over from an earlier run.
   */
  isSoleUser?: boolean
  /** The minimum transfer rate. Slower clients are disconnected. Default: 1 KiB/s over a minute. */
  stallLimit?: StallLimit
  /** The nginx `internal` location that serves the storage folder, such as `/internal/`. Default: off. */
  accelRedirectPrefix?: string | undefined
  /** The group whose permissions nginx uses to read files. Default: permissions are not changed. */
  groupId?: number | undefined
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export type LocalDriver = StorageDriver & {
  /** Handles the `request` event of a node:http server for paths under `/storage/`. */
  handle: RequestHandler
  /** Handles the `checkContinue` event, so that an upload can be rejected before its body is sent. */
  handleContinue: RequestHandler
  close(): Promise<void>
}

// Measured: buffers of 512 KiB reach at least 95% of the speed of 1 MiB buffers, and 16 concurrent transfers use less
// than 32 MB.
const largeBufferBytes = 512 * 1024
const maxLargeBuffers = 48

/** Opens the storage folder, creating it if missing, and starts sweeping its temporary files. */
export async function createLocalDriver(options: LocalDriverOptions): Promise<LocalDriver> {
  const { clock, log, groupId } = options
  const layout = localLayout(options.directory, options.diskLimits)
  await translateErrors(prepareFolders(layout))
  if (groupId !== undefined) await translateErrors(shareStorageFolder(layout, groupId))
  const openPuts = createOpenPuts(layout, options.openPutLimits)
  const isSoleUser = options.isSoleUser === true
  const stopSweeping = await startSweeping(layout, { clock, log, isSoleUser, inUse: openPuts.has })
  const buffers = createBufferPool({ largeBufferBytes, maxLargeBuffers })
  const hashes = createHashPool({ threadsPerDigest: Math.min(Math.ceil(availableParallelism() / 2), 4) })
  const space = createFreeSpace({
    layout,
    reserve: options.diskReserve,
    reservedFiles: options.reservedFreeFiles,
  })
  const writer = createPartWriter({ buffers, hashes, space, writing: layout.writing })
  const context = createContext(options, { layout, openPuts, buffers, writer })
  return {
    ...signOperations(context),

    ...stagingOperations(context),

    ...readOperations({ layout, buffers, hashes }),

    ...quarantineOperations(layout),

    requireSpace: (_key, sizeBytes) => translateErrors(space.require(sizeBytes)),

    findCapacity: () => translateErrors(space.measure()),

    findSealed: (key) => translateErrors(findSealed(layout, key)),

    store: (key, content) => translateErrors(storeContent(context, key, content)),

    remove: ({ key }) => translateErrors(removeFolder(layout, layout.objects(key))),

    listClientOrigins: async () => [],

    identity: createLocalIdentity(options.directory),

    check: () => translateErrors(checkWritable(layout)),

    handle: (request, response) => void serveStorage(context, request, response, { expectsContinue: false }),

    handleContinue: (request, response) =>
      void serveStorage(context, request, response, { expectsContinue: true }),

    async close() {
      stopSweeping()
      await hashes.close()
    },
  }
}

function createContext(
  options: LocalDriverOptions,
  parts: Pick<EndpointContext, 'layout' | 'openPuts' | 'buffers' | 'writer'>,
): EndpointContext {
  const { layout } = parts
  const { clock, log, groupId, accelRedirectPrefix: prefix } = options
  return {
    ...parts,
    signer: createUrlSigner(options),
    attempts: createAttempts(layout),
    sendTurns: createTurns(maxSendsPerIteration),
    sendWindows: createSendWindows(),
    clock,
    log,
    metrics: options.metrics ?? noMetrics,
    stallLimit: options.stallLimit ?? defaultStallLimit,
    findObject: options.findObject,
    accelerate: prefix === undefined ? undefined : createAccelerate({ layout, prefix, groupId, log }),
  }
}
