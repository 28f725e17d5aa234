import { Agent, request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { SmallUploads } from './load-clients.ts'

const { method, urls, headers, bytes, clients } = (await json(process.stdin)) as SmallUploads
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const body = Buffer.alloc(bytes, 'quayside')
let next = 0

const start = performance.now()
await Promise.all(Array.from({ length: clients }, () => client()))
console.log(urls.length / ((performance.now() - start) / 1000))
agent.destroy()

async function client(): Promise<void> {
  for (let url = urls[next++]; url !== undefined; url = urls[next++]) await send(url)
}

async function send(url: string): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = { ...headers, 'Content-Length': String(bytes) }
    request(url, { method, headers: sent, agent }, resolve).on('error', reject).end(body)
  })
  await response.resume().toArray()
  if (response.statusCode !== 200 && response.statusCode !== 201 && response.statusCode !== 204)
    throw new Error(`${method} ${url}: ${response.statusCode}`)
}
