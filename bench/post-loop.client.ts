import { json } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import type { PostLoad } from './load-clients.ts'

const { url, body, clients, count } = (await json(process.stdin)) as PostLoad
const dispatcher = new Agent({ connections: clients })
const headers = { 'content-type': 'application/json; charset=utf-8' }
let started = 0

const start = performance.now()
await Promise.all(Array.from({ length: clients }, () => client()))
console.log(count / ((performance.now() - start) / 1000))
await dispatcher.close()

async function client(): Promise<void> {
  while (started++ < count) {
    const response = await request(url, { method: 'POST', headers, body, dispatcher })
    await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  }
}
