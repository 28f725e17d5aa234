import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { createEdgeServer, type EdgeServer } from '../http/edge-server.ts'
import { listen, stopListening } from '../http/wire/listener.ts'
import { createUploadTurns, type UploadTurns } from '../lib/upload-turns.ts'
import { maxConnections } from '../net/connection-limit.ts'
import { openTelemetry, type Telemetry } from '../telemetry/open-telemetry.ts'
import { prepareDataFolder } from './data-folder.ts'
import { requireGroupId } from './group-id.ts'
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts'
import type { StartContext } from './start-context.ts'

export type Listener = {
  /** The settings with the data folder as an absolute path, the port and the public URL. */
  config: Config
  edge: EdgeServer
  uploadTurns: UploadTurns
  telemetry: Telemetry
  /** The group that may read stored files; undefined if no proxy sends them. */
  groupId: number | undefined
  /** The lock of the data folder, if no other node uses the database. */
  lock: InstanceLock | undefined
  isSoleService: boolean
  /** The number of connections that the process may accept; undefined if it is not limited. */
  connectionLimit: number | undefined
}

/** Prepares the data folder and starts listening. Until the service opens the edge server, requests get 503. */
export async function startListener(
  settings: Config,
  { log, clock, closers }: StartContext,
): Promise<Listener> {
  const dataDir = resolve(settings.dataDir)
  const { accelRedirectPrefix, storageGroup } = settings
  const isSharedForReading = accelRedirectPrefix !== undefined
  const groupId =
    isSharedForReading && storageGroup !== undefined ? await requireGroupId(storageGroup) : undefined
  await prepareDataFolder(dataDir, { log, isSharedForReading, groupId })
  const isSoleService = settings.databaseUrl === undefined
  let lock: InstanceLock | undefined
  if (isSoleService) {
    lock = await acquireInstanceLock(dataDir)
    closers.push(async () => lock?.release())
  }
  const telemetry = await openTelemetry(settings, closers)
  const connectionLimit = await maxConnections()
  const uploadTurns = createUploadTurns(clock)
  const edge = createEdgeServer({
    maxConnections: connectionLimit,
    // A proxy on the same machine is often missing from the settings.
    proxies: [...settings.trustedProxies, '127.0.0.0/8', '::1'],
    log,
    uploadTurns,
    ...telemetry,
  })
  const port = await listen(edge.server, settings)
  closers.push(async () => stopListening(edge.server))
  const publicUrl = settings.port === 0 ? `http://localhost:${port}` : settings.publicUrl
  const config = { ...settings, dataDir, port, publicUrl }
  return { config, edge, uploadTurns, telemetry, groupId, lock, isSoleService, connectionLimit }
}
