import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import type { HttpLoad } from './load-clients.ts'

// The client uses raw sockets, because an HTTP client would take more CPU time from the service.
const {
  port,
  path,
  key,
  clients,
  seconds,
  headers = {},
  status = 200,
} = (await json(process.stdin)) as HttpLoad
const sent = {
  Host: `127.0.0.1:${port}`,
  ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  ...headers,
}
const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`

const start = performance.now()
const end = start + seconds * 1000
const counts = await Promise.all(Array.from({ length: clients }, () => client()))
const responses = counts.reduce((sum, count) => sum + count, 0)
console.log(responses / ((performance.now() - start) / 1000))

/** Sends one request after another on one connection until the time is up. Returns the number of responses. */
function client(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setNoDelay(true)
    let count = 0
    let head = ''
    let missingBytes = 0
    socket.on('data', (chunk) => {
      if (missingBytes === 0) {
        head += chunk.toString('latin1')
        const headBytes = head.indexOf('\r\n\r\n') + 4
        if (headBytes === 3) return
        if (!head.startsWith(`HTTP/1.1 ${status}`)) return reject(new Error(head))
        const bodyBytes = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
        missingBytes = headBytes + bodyBytes - head.length
        head = ''
      } else missingBytes -= chunk.length
      if (missingBytes > 0) return
      count++
      if (performance.now() < end) socket.write(request)
      else socket.end(() => resolve(count))
    })
    socket.on('error', reject)
  })
}
