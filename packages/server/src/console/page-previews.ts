import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

// The messages are described in packages/web/preview/messages.ts.

/** A response of the service to a GET request. `url` has no origin. */
export type PageResponse = { url: string; status: number; body: string }

/** A page that a visitor opens. */
export type Page = {
  /** The build of the console contains the script of the thread. */
  script: string
  /** The path and query. */
  path: string
  userAgent: string
  isPhone: boolean
  /** Sends a GET request in the name of the visitor. */
  load: (url: string) => Promise<PageResponse | undefined>
}

/**
 * What a page looks like before its scripts run, the state of its cache as JSON, and the responses that are not in this
 * state, because they report an error.
 */
export type PagePreview = { html: string; state: string; failures: PageResponse[] }

export type PagePreviews = {
  /** Draws a page. Returns undefined if this fails or takes too long. */
  draw(page: Page): Promise<PagePreview | undefined>
  close(): Promise<void>
}

type Options = {
  publicUrl: string
  log: Logger
  /** How long a document waits for its preview. */
  maxWaitMs?: number
  /** How long a preview waits for responses. Those that take longer are left to the browser. */
  maxLoadMs?: number
  /** After which time without pages the thread ends. It uses about 70 MB of memory (measured). */
  maxIdleMs?: number
}

type FromThread =
  | { type: 'load'; id: number; pageId: number; url: string }
  | { type: 'drawn'; id: number; preview: PagePreview }
  | { type: 'failed'; id: number; reason: string }

type Waiting = {
  load: Page['load']
  /** Resolves when no response is waited for any longer. */
  timeout: Promise<undefined>
  resolve: (preview: PagePreview | undefined) => void
}

const maxWaiting = 8
const maxDrawMs = 10_000
const pauseAfterFailureMs = 60_000
const loadable = /^\/api\/(v1|auth)\//

/** Creates a thread that draws pages of the console. It is started when it is first used. */
export function createPagePreviews({
  publicUrl,
  log,
  maxWaitMs = 750,
  maxLoadMs = 500,
  maxIdleMs = 10 * 60_000,
}: Options): PagePreviews {
  let thread: { worker: Worker; script: string } | undefined
  let pausedUntil = 0
  let lastId = 0
  let timer: NodeJS.Timeout | undefined
  const waiting = new Map<number, Waiting>()

  async function stop(): Promise<void> {
    clearTimeout(timer)
    const stopped = thread?.worker
    thread = undefined
    for (const { resolve } of waiting.values()) resolve(undefined)
    waiting.clear()
    await stopped?.terminate()
  }

  function fail(error: Error): void {
    log.warn({ err: error }, 'could not draw the console')
    pausedUntil = performance.now() + pauseAfterFailureMs
    void stop()
  }

  /** Ends the thread when it has been idle, or has drawn one page, for too long. */
  function watch(): void {
    clearTimeout(timer)
    const isIdle = waiting.size === 0
    const end = () => (isIdle ? void stop() : fail(new Error(`a page took more than ${maxDrawMs} ms`)))
    timer = setTimeout(end, isIdle ? maxIdleMs : maxDrawMs).unref()
  }

  function start(script: string): Worker {
    const worker = new Worker(script, {
      workerData: { publicUrl },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
    })
    thread = { worker, script }
    const failThis = (error: Error) => thread?.worker === worker && fail(error)
    worker.on('error', failThis)
    worker.on('exit', (code) => failThis(new Error(`the thread ended with exit code ${code}`)))
    worker.on('message', (message: FromThread) => {
      if (thread?.worker !== worker) return
      if (message.type === 'load') void answer(worker, message)
      else finish(message)
    })
    worker.unref()
    return worker
  }

  async function answer(
    worker: Worker,
    { id, pageId, url }: Extract<FromThread, { type: 'load' }>,
  ): Promise<void> {
    const page = waiting.get(pageId)
    const response =
      page === undefined || !loadable.test(url)
        ? undefined
        : await Promise.race([page.load(url).catch(() => undefined), page.timeout])
    worker.postMessage({ type: 'loaded', id, response }, [])
  }

  function finish(message: Exclude<FromThread, { type: 'load' }>): void {
    const page = waiting.get(message.id)
    waiting.delete(message.id)
    watch()
    if (message.type === 'failed')
      log.debug({ reason: message.reason }, 'a page of the console has no preview')
    page?.resolve(message.type === 'failed' ? undefined : message.preview)
  }

  return {
    async draw({ script, load, ...page }) {
      if (performance.now() < pausedUntil || waiting.size >= maxWaiting) return undefined
      if (thread !== undefined && thread.script !== script) await stop()
      const worker = thread?.worker ?? start(script)
      const id = ++lastId
      const timeout = wait(maxLoadMs, undefined, { ref: false })
      const drawn = new Promise<PagePreview | undefined>((resolve) =>
        waiting.set(id, { load, timeout, resolve }),
      )
      if (waiting.size === 1) watch()
      worker.postMessage({ type: 'draw', id, ...page }, [])
      return Promise.race([drawn, wait(maxWaitMs, undefined, { ref: false })])
    },
    close: stop,
  }
}
