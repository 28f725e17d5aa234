import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createBigFile } from './big-file.ts'
import { option, save, textOption } from './report.ts'
import { killOnExit, startService } from './service.ts'
import { createApplication, uploadBuild } from './uploads.ts'

// Compares the response times of a healthy client with and without other clients that keep slow connections open.
const connections = option('connections', 1_000)
const seconds = option('seconds', 15)
const settleSeconds = option('settle', 60)
const pattern = new RegExp(textOption('only', ''))
const maxMemoryMb = 300
const maxSlowdown = 2

export type SlowLoad = {
  port: number
  connections: number
  /** Sent as soon as the connection is open. */
  request: string
  /** The rate at which the client sends more bytes; 0 if it sends nothing more. */
  bytesPerSecond: number
  /** Whether the client reads what the server sends. */
  isReading: boolean
}

const service = await startService()
const file = await createBigFile(64)
const applicationId = await createApplication(service)
const buildId = await uploadBuild(service, applicationId, file.path, file.sizeBytes)
const buildPath = `/applications/${applicationId}/builds/${buildId}`
const { primary_file } = await service.api<{ primary_file: { temp_url: string } }>(
  'GET',
  `${buildPath}/download`,
)
const { pathname, search } = new URL(primary_file.temp_url)

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n')
const post = head(
  'POST /api/v1/applications',
  `Authorization: Bearer ${service.key}`,
  'Content-Type: application/json',
  'Content-Length: 1000',
)
type Behavior = Pick<SlowLoad, 'request' | 'bytesPerSecond' | 'isReading'>
const behaviors: Record<string, Behavior> = {
  'send nothing': { request: '', bytesPerSecond: 0, isReading: true },
  'send a header at 1 byte/s': { request: 'GET /livez HTTP/1.1\r\nX: ', bytesPerSecond: 1, isReading: true },
  'send a body at 1 byte/s': { request: post, bytesPerSecond: 1, isReading: true },
  'never read': { request: head(`GET ${pathname}${search}`), bytesPerSecond: 0, isReading: false },
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function responseTime(): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.key}` }
    const path = `/api/v1/applications/${applicationId}/builds`
    const request = get({ port: service.port, path, headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The healthy client got ${response.statusCode}.`))
      response.resume().on('end', () => resolve(performance.now() - start))
    })
    request.on('error', reject)
  })
}

const countDescriptors = async () => (await readdir(`/proc/${service.pid}/fd`)).length

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

/** Sends requests one after another as a healthy client. Returns the 95th percentile and the highest memory use. */
async function measure() {
  const times: number[] = []
  let memoryMb = 0
  let descriptors = 0
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    times.push(await responseTime())
    if (times.length % 20 > 0) continue
    memoryMb = Math.max(memoryMb, await residentMb())
    descriptors = Math.max(descriptors, await countDescriptors())
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  return { p95, memoryMb, descriptors, requests: times.length }
}

type Measured = Awaited<ReturnType<typeof measure>>

function print(name: string, { p95, memoryMb, descriptors }: Measured, verdicts: string[] = []): void {
  const figures = `p95 ${p95.toFixed(1).padStart(6)} ms  ${String(memoryMb).padStart(4)} MB  ${String(descriptors).padStart(5)} descriptors`
  console.log(`  ${[name.padEnd(26) + figures, ...verdicts].join('  ')}`)
}

console.log(`\nslow clients   ${connections} connections`)
for (let count = 0; count < 500; count++) await responseTime()
const results: Record<string, { rest: Measured; slow: Measured; leftDescriptors: number }> = {}
for (const [name, behavior] of Object.entries(behaviors)) {
  if (!pattern.test(name)) continue
  const rest = await measure()
  const load: SlowLoad = { port: service.port, connections, ...behavior }
  const program = join(import.meta.dirname, 'slow-clients.client.ts')
  const clients = spawn(process.execPath, [program, JSON.stringify(load)], { stdio: 'inherit' })
  killOnExit(clients)
  for (let waits = 0; waits < 100 && (await countDescriptors()) < rest.descriptors + connections; waits++)
    await pause(100)
  const slow = await measure()
  clients.kill('SIGKILL')
  await once(clients, 'exit')
  for (let waits = 0; waits < settleSeconds * 10 && (await countDescriptors()) > rest.descriptors; waits++)
    await pause(100)
  const leftDescriptors = Math.max(0, (await countDescriptors()) - rest.descriptors)
  results[name] = { rest, slow, leftDescriptors }
  const slowdown = slow.p95 / rest.p95
  print('at rest', rest)
  print(name, slow, [
    `ratio ${slowdown.toFixed(2)}${slowdown > maxSlowdown ? ' !' : ''}`,
    ...(slow.memoryMb >= maxMemoryMb ? [`above ${maxMemoryMb} MB !`] : []),
    leftDescriptors === 0 ? 'all descriptors returned' : `${leftDescriptors} descriptors left !`,
  ])
}
const figures = Object.entries(results).map(([name, { rest, slow }]) => ({
  name: `${name}, p95`,
  value: slow.p95 / rest.p95,
  atMost: maxSlowdown,
}))
await save('slow-clients', { connections, seconds, results }, figures)
agent.destroy()
await service.stop()
await file.remove()
