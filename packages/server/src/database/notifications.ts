import pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from './connect.ts'

type Options = {
  connection: Connection
  /** A name that needs no quotes in SQL. */
  channel: string
  /** Called after each notification, and whenever a connection is established, because some may have been missed. */
  onNotification: () => void
  log: Pick<Logger, 'warn'>
}

const retryMs = 1_000

/**
 * Creates a listener for notifications of other processes, on a connection of its own. Notifications are lost while
 * there is no connection, so callers must also check for changes at intervals.
 */
export function createNotifications({ connection, channel, onNotification, log }: Options) {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = true

  async function connect(): Promise<void> {
    const connecting = new pg.Client({ ...connection, application_name: 'quayside', keepAlive: true })
    client = connecting
    connecting.on('notification', onNotification)
    connecting.on('error', (error) => {
      if (client !== connecting || isClosed) return
      log.warn({ reason: error.message }, 'lost the connection for database notifications')
      reconnect()
    })
    try {
      await connecting.connect()
      await connecting.query(`listen ${channel}`)
      onNotification()
    } catch {
      if (client === connecting && !isClosed) reconnect()
    }
  }

  function reconnect(): void {
    void client?.end().catch(() => {})
    client = undefined
    clearTimeout(retry)
    retry = setTimeout(() => void connect(), retryMs)
  }

  return {
    start(): void {
      if (!isClosed) return
      isClosed = false
      void connect()
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
