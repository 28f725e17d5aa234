import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ServerConnection } from './postgres-server.ts'

export type DatabaseProxy = {
  connection: ServerConnection
  /** Blocks existing and new connections in both directions until `resume` is called. */
  silence(): void
  resume(): void
  /** Forwards the next statement that contains this text, then closes the connection before the response arrives. */
  cutAfter(statement: string): void
  close(): Promise<void>
}

/** Starts a proxy between the code under test and PostgreSQL that simulates network failures. */
export async function startDatabaseProxy(target: ServerConnection, port = 0): Promise<DatabaseProxy> {
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
  await once(server.listen(port, '127.0.0.1'), 'listening')
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
