import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Receiver = { url: string; close: () => Promise<void> }

/**
 * Starts the server to which the webhooks of the demo send their requests. The path determines the response: `/ok`,
 * `/error`, `/flaky` (fails one in four first attempts) and `/slow` (never responds).
 */
export async function startReceiver(port = 0): Promise<Receiver> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume()
    const reply = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const kind = (request.url ?? '').split('/', 2)[1]
    if (kind === 'slow') return
    if (kind === 'error')
      return reply(500, { error: 'Unhandled exception in SymbolImporter.run', trace: id.slice(-8) })
    if (kind === 'flaky' && /[048c]$/.test(id) && !seen.has(id)) {
      seen.add(id)
      return reply(503, { error: 'The device lab is restarting.' })
    }
    // Real receivers do some work before they respond, which the durations in the delivery log show.
    void pause(id.charCodeAt(id.length - 1) % 40).then(() => reply(200, { accepted: true, id }))
  })
  await listen(server, port)
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${actual}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Listens on the port, or on any port if it is in use. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await listen(server, 0)
  }
}
