import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ServerConnection } from './postgres-server.ts'

export type DatabaseProxy = {
  connection: ServerConnection
  /** From now on nothing passes in either direction, on old and new connections alike, until `resume`. */
  silence(): void
  resume(): void
  /** The next statement with this text reaches the server; its answer does not, and the connection breaks. */
  cutAfter(statement: string): void
  close(): Promise<void>
}

/** Stands between the code under test and PostgreSQL, to lose what networks lose. */
export async function startDatabaseProxy(target: ServerConnection): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let cutStatement: string | undefined
  const server = createServer((client) => {
    const upstream = connect(join(target.host, `.s.PGSQL.${target.port}`))
    let isCut = false
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      if (isSilent) from.pause()
      from.on('data', (bytes) => {
        if (from === upstream && isCut) client.destroy()
        else if (from === client && cutStatement !== undefined && bytes.includes(cutStatement)) {
          isCut = true
          cutStatement = undefined
        }
        if (!to.destroyed) to.write(bytes)
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    connection: { ...target, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    cutAfter(statement) {
      cutStatement = statement
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
