import { once } from 'node:events'
import type { Server } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { problem } from '../../lib/problem.ts'
import { isLoopback } from '../../net/ip-address.ts'
import type { createEdgeServer } from '../edge-server.ts'

const drainMs = 30_000

/** Starts listening and returns the port. Throws `server.cannot_listen` if the address cannot be used. */
export async function listen(server: Server, { host, port }: Config): Promise<number> {
  server.listen({ port, host, backlog: 4096 })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE'
      ? portInUse({ port, host }, { cause: error })
      : cannotListen({ host, port, reason: listenReason(code) }, { cause: error })
  }
  return (server.address() as AddressInfo).port
}

const portInUse = problem(
  'unavailable',
  'server.cannot_listen',
  'Port {port} on {host} is in use. Stop the process that uses it, or choose another port with QUAYSIDE_PORT.',
)

const cannotListen = problem(
  'unavailable',
  'server.cannot_listen',
  'Cannot listen on {host}:{port}: {reason}. Check QUAYSIDE_HOST and QUAYSIDE_PORT.',
)

function listenReason(code = ''): string {
  switch (code) {
    case 'EACCES':
      return 'only privileged users may use this port'
    case 'EADDRNOTAVAIL':
      return 'this machine does not have this address'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is unknown'
    default:
      return code || 'unknown error'
  }
}

/** Returns the URL at which the service listens, or undefined if the public URL is equivalent to it. */
export function listenUrlOf({ host, port, publicUrl }: Config): string | undefined {
  const listenUrl = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  return [listenUrl, ...(isLoopback(host) ? [`http://localhost:${port}`] : [])].includes(publicUrl)
    ? undefined
    : listenUrl
}

/** Waits up to `drainMs` for in-flight requests to finish, then closes the remaining connections. */
export async function drain(edge: ReturnType<typeof createEdgeServer>, log: Logger): Promise<void> {
  edge.startClosing()
  const { server } = edge
  const deadline = performance.now() + drainMs
  const closed = new Promise<void>((done) => {
    server.close(() => done())
  })
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const hasClosed = await Promise.race([
    closed.then(() => true),
    pause(deadline - performance.now(), false, { ref: false }),
  ])
  clearInterval(idle)
  if (hasClosed) return
  log.warn('closing the connections of requests still in flight after 30 s')
  server.closeAllConnections()
  await closed
}

/** Stops listening and closes all connections immediately. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
