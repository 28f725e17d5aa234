import { Agent, request } from 'node:http'
import { expensiveCalls, publicCalls, type HostileCall, type Target } from './hostile-calls.ts'

export type HostileInput = {
  url: string
  keys: string[]
  target: Target
  seconds: number
}
/** The number of responses by call and status. `error` counts failed connections. */
export type HostileOutcome = Record<string, Record<string, number>>

const callsAtOnce = 6
const passwordsAtOnce = 60

// The attack runs in a separate process, so that it does not delay the test's measurements.
if (process.send !== undefined) {
  // If the test fails, it closes the channel without ending the attack.
  process.once('disconnect', () => process.exit())
  process.once('message', (input: HostileInput) => {
    const isEnding = { value: false }
    process.once('message', () => (isEnding.value = true))
    void attack(input, () => isEnding.value).then((outcome) => {
      process.send?.(outcome)
      process.disconnect()
    })
  })
}

/**
 * Makes every expensive call with every key, and every public call without a key. Then repeats the permitted calls in
 * parallel until the time is up and `mayEnd` returns true.
 */
async function attack(
  { url, keys, target, seconds }: HostileInput,
  mayEnd: () => boolean,
): Promise<HostileOutcome> {
  const outcome: HostileOutcome = {}
  const agent = new Agent({ keepAlive: true })
  const make = async (key: string | null, name: string, call: HostileCall): Promise<string> => {
    const status = await statusOf(agent, url, { key, ...call })
    const counts = (outcome[name] ??= {})
    counts[status] = (counts[status] ?? 0) + 1
    return status
  }
  const pairs = [...keys, null].flatMap((key) =>
    Object.entries(key === null ? publicCalls(target) : expensiveCalls(target)).map(([name, call]) => ({
      key,
      name,
      call,
    })),
  )
  // A key without the scope is rejected before any work is done, so one call is enough.
  const permitted: typeof pairs = []
  await Promise.all(
    pairs.map(async (pair) => {
      const status = await make(pair.key, pair.name, pair.call(0))
      if (status !== '403' || pair.key === null) permitted.push(pair)
    }),
  )
  const deadline = performance.now() + seconds * 1000
  const repeat = async ({ key, name, call }: (typeof pairs)[number]): Promise<void> => {
    let index = 1
    const repeatOne = async () => {
      while (performance.now() < deadline || !mayEnd()) await make(key, name, call(index++))
    }
    // Each password check takes tens of milliseconds of CPU time, so many concurrent checks are the most effective
    // attack.
    const atOnce = name.includes('password') ? passwordsAtOnce : callsAtOnce
    await Promise.all(Array.from({ length: atOnce }, repeatOne))
  }
  await Promise.all(permitted.map(repeat))
  agent.destroy()
  return outcome
}

function statusOf(agent: Agent, base: string, { method, url, body, key }: HostileCall): Promise<string> {
  const headers = {
    ...(key === null || key === undefined ? {} : { authorization: `Bearer ${key}` }),
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
