import { Agent, request } from 'node:http'
import { expensiveCalls, publicCalls, type HostileCall, type Target } from './hostile-calls.ts'

export type HostileInput = {
  url: string
  keys: string[]
  target: Target
  seconds: number
  callsAtOnce: number
}
/** How often each call got each status; `error` counts connections that failed. */
export type HostileOutcome = Record<string, Record<string, number>>

// A process of its own, so that its work does not delay the measurements of the test.
if (process.send !== undefined)
  process.once('message', (input: HostileInput) => {
    void attack(input).then((outcome) => {
      process.send?.(outcome)
      process.disconnect()
    })
  })

/** Makes every call with every key, and every public call without one, in parallel until the time is over. */
async function attack({ url, keys, target, seconds, callsAtOnce }: HostileInput): Promise<HostileOutcome> {
  const outcome: HostileOutcome = {}
  const deadline = performance.now() + seconds * 1000
  const agent = new Agent({ keepAlive: true })
  const caller = async (key: string | null, calls: ReturnType<typeof publicCalls>, first: number) => {
    const entries = Object.entries(calls)
    for (let index = first; performance.now() < deadline; index++) {
      const [name = '', call] = entries[index % entries.length] ?? []
      if (call === undefined) return
      const status = await statusOf(agent, url, { key, ...call(index) })
      const counts = (outcome[name] ??= {})
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  const callsWithKey = expensiveCalls(target)
  const callsWithout = publicCalls(target)
  const callers = [...keys, null].flatMap((key) =>
    Array.from({ length: callsAtOnce }, (_, i) =>
      caller(key, key === null ? callsWithout : callsWithKey, i * 4),
    ),
  )
  await Promise.all(callers)
  agent.destroy()
  return outcome
}

function statusOf(agent: Agent, base: string, { method, url, body, key }: HostileCall): Promise<string> {
  const headers = {
    ...(key == null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve) => {
    const target = url.startsWith('http') ? url : `${base}/api/v1${url}`
    const sent = request(target, { method, headers, agent }, (response) => {
      response.resume()
      response.once('close', () => resolve(String(response.statusCode)))
    })
    sent.once('error', () => resolve('error'))
    sent.end(body)
  })
}
