import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port below the ephemeral port range. A port in that range could be assigned to a client as its source
 * port before the service listens, so that the client connects to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
