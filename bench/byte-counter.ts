import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

/** Starts a TCP proxy that counts the bytes of both directions, including the headers of HTTP. */
export async function startByteCounter(targetPort: number) {
  const counts = { up: 0, down: 0 }
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    client.on('data', (bytes) => void (counts.up += bytes.length))
    target.on('data', (bytes) => void (counts.down += bytes.length))
    for (const socket of [client, target])
      socket.on('error', () => {
        client.destroy()
        target.destroy()
      })
    client.pipe(target).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Returns how many bytes `work` transferred. */
    async during(work: () => Promise<unknown>): Promise<{ up: number; down: number }> {
      const before = { ...counts }
      await work()
      return { up: counts.up - before.up, down: counts.down - before.down }
    },
    stop: () => server.close(),
  }
}
