import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a proxy that follows redirects and changes a byte of the responses of URLs that match a pattern. */
export async function startTamperingProxy(target: string) {
  let changed: RegExp | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    void (async () => {
      const answer = await fetch(`${target}${path}`, { headers: { accept: '*/*' } })
      const body = Buffer.from(await answer.arrayBuffer())
      const at = Math.floor(body.length * 0.6)
      if (answer.ok && changed?.test(path) === true) body[at] = (body[at] ?? 0) ^ 1
      response.writeHead(answer.status, { 'content-length': body.length }).end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Changes only responses whose URL matches from now on. */
    change(pattern: RegExp) {
      changed = pattern
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
