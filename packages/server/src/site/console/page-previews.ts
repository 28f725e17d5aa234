import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { PageView } from './page-view.ts'
import type {
  FromThread,
  PagePreview,
  PageRequest,
  PageResponse,
  ResponseRequest,
  ToThread,
} from './preview-messages.ts'

/** A page that a visitor opens. */
export type Page = PageView & {
  /** The build of the console contains the script of the thread. */
  script: string
  /** The path and query. */
  path: string
  userAgent: string
  isPhone: boolean
  /** Sends a GET request in the name of the visitor. */
  load: (url: string) => Promise<PageResponse | undefined>
}

export type PagePreviews = {
  /** Draws a page. Returns undefined if this fails or takes too long. */
  draw(page: Page): Promise<PagePreview | undefined>
  close(): Promise<void>
}

type Options = {
  publicUrl: string
  log: Logger
  /** How long a document waits for its preview, including the time until the thread begins to draw it. */
  maxWaitMs?: number
  /** How long a preview waits for responses. Those that take longer are left to the browser. */
  maxLoadMs?: number
  /** After which time without pages the thread ends. It uses about 70 MB of memory (measured). */
  maxIdleMs?: number
}

/** A page that the thread draws. */
type Drawing = {
  load: Page['load']
  /** Resolves when no response is waited for any longer. */
  timeout: Promise<undefined>
  resolve: (preview: PagePreview | undefined) => void
}

/** A page that the thread has not begun to draw. */
type Queued = { page: Page; deadline: number; resolve: (preview: PagePreview | undefined) => void }

// While one page waits for its responses, the thread draws another. More at once would only make each of them late.
const maxDrawings = 2
const maxDrawMs = 10_000
const pauseAfterFailureMs = 60_000
const loadable = /^\/api\/(v1|auth)\//

/** Creates a thread that draws pages of the console. It is started when it is first used. */
export function createPagePreviews({
  publicUrl,
  log,
  maxWaitMs = 1_500,
  maxLoadMs = 500,
  maxIdleMs = 10 * 60_000,
}: Options): PagePreviews {
  let lastId = 0
  const drawings = new Map<number, Drawing>()
  const queue = createQueue(maxWaitMs)
  const thread = superviseThread({ publicUrl, log, maxIdleMs }, { onMessage: receive, onStop: giveUp })

  function giveUp(): void {
    for (const { resolve } of drawings.values()) resolve(undefined)
    drawings.clear()
    queue.clear()
  }

  function receive(worker: Worker, message: FromThread): void {
    if (message.type === 'load') void answer(worker, drawings.get(message.pageId), message)
    else finish(message)
  }

  function finish(message: Exclude<FromThread, ResponseRequest>): void {
    const page = drawings.get(message.id)
    drawings.delete(message.id)
    thread.watch({ isIdle: drawings.size === 0 })
    if (message.type === 'failed')
      log.debug({ reason: message.reason }, 'a page of the console has no preview')
    page?.resolve(message.type === 'failed' ? undefined : message.preview)
    drawNext()
  }

  function drawNext(): void {
    while (drawings.size < maxDrawings) {
      const next = queue.take()
      if (next === undefined) return
      begin(next)
    }
  }

  function begin({ page: { script, load, ...page }, resolve }: Queued): void {
    const worker = thread.open(script)
    const id = ++lastId
    drawings.set(id, { load, timeout: wait(maxLoadMs, undefined, { ref: false }), resolve })
    if (drawings.size === 1) thread.watch({ isIdle: false })
    const request: PageRequest = { type: 'draw', id, ...page }
    worker.postMessage(request, [])
  }

  return {
    draw(page) {
      if (thread.isPaused()) return Promise.resolve(undefined)
      const drawn = queue.add(page)
      drawNext()
      return Promise.race([drawn, wait(maxWaitMs, undefined, { ref: false })])
    },
    close: thread.stop,
  }
}

/** Sends the thread a response for which it waits. */
async function answer(
  worker: Worker,
  page: Drawing | undefined,
  { id, url }: ResponseRequest,
): Promise<void> {
  const response =
    page === undefined || !loadable.test(url)
      ? undefined
      : await Promise.race([page.load(url).catch(() => undefined), page.timeout])
  const message: ToThread = { type: 'loaded', id, response }
  worker.postMessage(message, [])
}

function createQueue(maxWaitMs: number) {
  const queued: Queued[] = []
  return {
    /** Adds a page. The result resolves when it has been drawn or is no longer needed. */
    add: (page: Page): Promise<PagePreview | undefined> =>
      new Promise((resolve) => queued.push({ page, deadline: performance.now() + maxWaitMs, resolve })),
    /** Removes the first page and returns it. */
    take(): Queued | undefined {
      for (;;) {
        const next = queued.shift()
        // A document that was sent without its preview does not delay the others.
        if (next === undefined || performance.now() < next.deadline) return next
        next.resolve(undefined)
      }
    },
    clear(): void {
      for (const { resolve } of queued) resolve(undefined)
      queued.length = 0
    },
  }
}

type ThreadEvents = {
  onMessage: (worker: Worker, message: FromThread) => void
  /** Called when the thread is stopped, after which it sends no messages. */
  onStop: () => void
}

/** Starts the thread when it is needed, and stops it when it fails or is no longer used. */
function superviseThread(
  { publicUrl, log, maxIdleMs }: Pick<Options, 'publicUrl' | 'log'> & { maxIdleMs: number },
  { onMessage, onStop }: ThreadEvents,
) {
  let thread: { worker: Worker; script: string } | undefined
  let pausedUntil = 0
  let timer: NodeJS.Timeout | undefined

  async function stop(): Promise<void> {
    clearTimeout(timer)
    const stopped = thread?.worker
    thread = undefined
    onStop()
    await stopped?.terminate()
  }

  function fail(error: Error): void {
    log.warn({ err: error }, 'could not draw the console')
    pausedUntil = performance.now() + pauseAfterFailureMs
    void stop()
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
      if (thread?.worker === worker) onMessage(worker, message)
    })
    worker.unref()
    return worker
  }

  return {
    /** Returns whether the thread has failed a short time ago. */
    isPaused: () => performance.now() < pausedUntil,
    /** Returns the thread that runs the script. */
    open(script: string): Worker {
      if (thread !== undefined && thread.script !== script) void stop()
      return thread?.worker ?? start(script)
    },
    /** Ends the thread when it has been idle, or has drawn one page, for too long. */
    watch({ isIdle }: { isIdle: boolean }): void {
      clearTimeout(timer)
      const end = () => (isIdle ? void stop() : fail(new Error(`a page took more than ${maxDrawMs} ms`)))
      timer = setTimeout(end, isIdle ? maxIdleMs : maxDrawMs).unref()
    },
    stop,
  }
}
