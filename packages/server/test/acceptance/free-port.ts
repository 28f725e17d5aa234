import { once } from 'node:events'
import { createServer, type ListenOptions } from 'node:net'

/**
 * Returns a free port that no other test process has chosen. It is below the ephemeral port range. A port in that range
 * could be assigned to a client as its source port before the service listens, so that the client connects to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const probe = await tryListening({ port, host: '127.0.0.1' })
    if (probe === undefined) continue
    probe.close()
    await once(probe, 'close')
    if (await reserve(port)) return port
  }
}

/**
 * Reserves the port for this process until it exits, because another test process could choose it before the service
 * listens. Returns whether the port was not reserved yet. Only Linux has the sockets without files that this requires.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await tryListening({ path: `\0quayside-test-port-${port}` })) !== undefined
}

/** Returns a listening server that does not keep this process running, or undefined if the address is in use. */
async function tryListening(address: ListenOptions) {
  const server = createServer().unref()
  const isListening = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(address, () => done(true))
  })
  return isListening ? server : undefined
}
