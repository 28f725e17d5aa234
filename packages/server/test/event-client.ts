import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { credentialsOf } from './credentials.ts'

export type ServerEvent = { event: string; id: string; data: Record<string, unknown> }

type Options = {
  key: string
  path: string
  /** The `Last-Event-ID` to send. */
  lastEventId?: string | undefined
  headers?: Record<string, string>
  /** Called with each event. Without it, events are kept in `events`. */
  onEvent?: (event: ServerEvent) => void
}

export type EventClient = Awaited<ReturnType<typeof watch>>

/** Opens an event stream. Resolves once the response arrives; rejects if the connection fails. */
export async function watch(url: string, { key, path, lastEventId, headers = {}, onEvent }: Options) {
  const events: ServerEvent[] = []
  const waiting = new Set<() => void>()
  let lastId = lastEventId
  let isClosed = false
  let heartbeats = 0
  const notify = () => {
    for (const wake of waiting) wake()
  }
  const { outgoing, response } = await open(`${url}/api/v1${path}`, {
    ...credentialsOf(key, url),
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...headers,
  })
  const isStream = response.headers['content-type'] === 'text/event-stream'
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    if (!isStream) return
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = fieldsOf(block)
      if (block.startsWith(': heartbeat')) heartbeats++
      lastId = fields.get('id') ?? lastId
      const data = fields.get('data')
      if (data === undefined) continue
      const parsed = JSON.parse(data) as Record<string, unknown>
      const event = { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: parsed }
      if (onEvent === undefined) events.push(event)
      else onEvent(event)
    }
    notify()
  })
  response.on('error', () => {})
  response.on('close', () => {
    isClosed = true
    notify()
  })

  /** Waits until the condition holds. Rejects after `timeoutMs`. */
  async function until(condition: () => boolean, what = 'event', timeoutMs = 60_000): Promise<void> {
    const end = performance.now() + timeoutMs
    while (!condition()) {
      if (performance.now() > end)
        throw new Error(`no ${what} within ${timeoutMs} ms: ${JSON.stringify(events.slice(-3))}`)
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, 1_000)
        waiting.add(wake)
      })
    }
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    response,
    /** The `change` events that were received. */
    changes: () => events.filter(({ event }) => event === 'change').map(({ data }) => data),
    lastId: () => lastId,
    heartbeats: () => heartbeats,
    isClosed: () => isClosed,
    body: () => text,
    until,
    close: () => outgoing.destroy(),
  }
}

function fieldsOf(block: string): Map<string, string> {
  return new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)]
      }),
  )
}

function open(
  url: string,
  headers: Record<string, string>,
): Promise<{ outgoing: ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent: false })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      outgoing.off('error', reject).on('error', () => {})
      resolve({ outgoing, response })
    })
    outgoing.end()
  })
}
