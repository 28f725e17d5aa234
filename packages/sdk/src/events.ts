import { anySignal } from './any-signal.ts'
import type { ClientResponse } from './client-response.ts'
import { errorFromResponse, QuaysideError, QuaysideUnreachableError } from './errors.ts'
import { isRetryableStatus, retryDelayMs, wait } from './retry.ts'

export type ServerEvent = { event: string; data: unknown }

/** Opens the stream, which starts after the event with this ID. Each attempt has its own signal. */
type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<ClientResponse>

type Options = {
  connect: Connect
  signal: AbortSignal | undefined
  /** The maximum time without data. The server sends data at least every 15 seconds. */
  maxSilenceMs?: number
}

const defaultMaxSilenceMs = 50_000
const defaultRetryMs = 2_000

/**
 * Yields the events of a stream. If the connection is lost, keeps trying to reconnect while the server is unreachable
 * or unavailable, and resumes after the last event. Rejects if the first connection fails or the server returns another
 * error, such as 410 if the changes since the last event are no longer available.
 */
export async function* watchEvents({
  connect,
  signal,
  maxSilenceMs = defaultMaxSilenceMs,
}: Options): AsyncGenerator<ServerEvent, void, undefined> {
  let lastEventId: string | undefined
  let retryMs = defaultRetryMs
  let isConnected = false
  for (let failures = 0; ;) {
    const silence = createSilenceTimer(maxSilenceMs, signal)
    try {
      const response = await connect(lastEventId, silence.signal)
      isConnected = true
      for await (const { id, retry, event, data } of readBlocks(response, silence.restart)) {
        failures = 0
        lastEventId = id ?? lastEventId
        retryMs = retry ?? retryMs
        if (data === undefined || event === 'end') continue
        silence.stop()
        yield { event: event ?? 'message', data: JSON.parse(data) as unknown }
        silence.restart()
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isConnected || !isTemporary(error)) throw error
      failures++
    } finally {
      silence.abort()
    }
    await wait(failures === 0 ? retryMs : Math.max(retryMs, retryDelayMs(failures, null)), signal)
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof QuaysideError) return isRetryableStatus(error.status, true)
  return error instanceof QuaysideUnreachableError || !(error instanceof SyntaxError)
}

/** Creates a signal that is aborted if `restart` is not called for `ms`, or together with the given signal. */
function createSilenceTimer(ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    timer = setTimeout(() => controller.abort(new Error('the server stopped sending data')), ms)
  }
  restart()
  return {
    signal: signal ? anySignal([signal, controller.signal]) : controller.signal,
    restart,
    stop,
    abort: () => {
      stop()
      controller.abort()
    },
  }
}

type Block = { id?: string; retry?: number; event?: string; data?: string }

/** Parses server-sent events (HTML standard, section 9.2.6). Calls `onData` whenever bytes arrive. */
async function* readBlocks(
  response: ClientResponse,
  onData: () => void,
): AsyncGenerator<Block, void, undefined> {
  if (response.body === null) throw await errorFromResponse(response)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let block: Block = {}
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onData()
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        yield block
        block = {}
      } else readLine(block, line)
    }
  }
}

function readLine(block: Block, line: string): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  else if (name === 'event') block.event = value
  else if (name === 'id' && !value.includes('\0')) block.id = value
  else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
