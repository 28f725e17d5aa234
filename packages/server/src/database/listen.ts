import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from './connect.ts'

const connectTimeoutMs = 3_000
const reconnectMs = 2_000
const closeTimeoutMs = 1_000

type Options = {
  connection: Connection
  /**
   * The functions to call by channel, after each notification and whenever a connection is established, because some
   * notifications may have been missed.
   */
  channels: Readonly<Record<string, () => void>>
  log: Pick<Logger, 'warn'>
}

export type Listening = { close(): Promise<void> }

/**
 * Listens for notifications on a connection of its own and reconnects if the connection is lost. Notifications are
 * lost while there is no connection, or if a proxy uses transaction pooling, so callers must also poll.
 */
export function listenForNotifications({ connection, channels, log }: Options): Listening {
  const statement = Object.keys(channels)
    .map((channel) => `listen ${pg.escapeIdentifier(channel)}`)
    .join(';')
  let client: pg.Client | undefined
  let socket: Socket | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function connect(): void {
    const stream = new Socket()
    const current = new pg.Client({
      ...connection,
      stream: () => stream,
      application_name: 'quayside',
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client = current
    socket = stream
    let isListening = false
    let isLost = false
    const reconnect = (error?: Error) => {
      if (isLost || isClosed) return
      isLost = true
      if (isListening) log.warn({ reason: error?.message }, 'lost the connection for database notifications')
      stream.destroy()
      timer = setTimeout(connect, reconnectMs)
    }
    current.on('error', reconnect)
    current.on('end', () => reconnect())
    current.on('notification', ({ channel }) => channels[channel]?.())
    current
      .connect()
      .then(() => current.query(statement))
      .then(() => {
        isListening = true
        for (const notify of Object.values(channels)) notify()
      }, reconnect)
  }

  connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      // A graceful disconnect could wait indefinitely.
      const deadline = setTimeout(() => socket?.destroy(), closeTimeoutMs)
      await client?.end().catch(() => {})
      clearTimeout(deadline)
      socket?.destroy()
    },
  }
}
