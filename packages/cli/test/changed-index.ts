import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Starts a server that forwards requests and changes chunk indexes. */
export async function changeIndex(origin: string) {
  const proxy = {
    url: '',
    change: (index: Buffer): Buffer => index,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    void (async () => {
      if (path.startsWith('/index?')) {
        const index = await fetch(decodeURIComponent(path.slice('/index?'.length)))
        response.end(proxy.change(Buffer.from(await index.arrayBuffer())))
        return
      }
      const { method = 'GET' } = request
      const headers = {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? 'application/json',
      }
      const sent = await text(request)
      const forwarded = await fetch(`${origin}${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(sent !== '' && { body: sent }),
      })
      const body = await forwarded.text()
      response.writeHead(forwarded.status, {
        'content-type': forwarded.headers.get('content-type') ?? '',
        'quayside-version': forwarded.headers.get('quayside-version') ?? '',
      })
      if (forwarded.status !== 302) {
        response.end(body)
        return
      }
      const { message, location } = JSON.parse(body) as { message: string; location: string }
      const changed = `${proxy.url}/index?${encodeURIComponent(location)}`
      response.end(JSON.stringify({ message, location: changed }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

/** Returns an index in which each piece has the checksums of the next one. */
export function shiftSums(index: Buffer): Buffer {
  const start = 64 + 36 * index.readUInt32LE(56) + 20
  return Buffer.concat([
    index.subarray(0, start),
    index.subarray(start + 8),
    index.subarray(start, start + 8),
  ])
}
