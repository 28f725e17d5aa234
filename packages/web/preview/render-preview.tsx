import { setImmediate as nextTurn } from 'node:timers/promises'
import { QuaysideError } from '@quayside/sdk'
import { dehydrate, type Query, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { PagePreview } from '../../server/src/site/console/preview-messages.ts'
import { AccessError } from '../src/api/access.ts'
import { basePath } from '../src/api/client.ts'
import { createQueryClient } from '../src/api/query-client.ts'
import { App } from '../src/app.tsx'
import { createConsoleRouter } from '../src/router.tsx'
import { missingStatus } from './browser.ts'
import { toPicture } from './to-picture.ts'

const maxRedirects = 3
const maxRounds = 5
/** What React writes in place of a part that failed or waits for a module. */
const unfinished = '<!--$!-->'

/** Draws a page with the responses that its queries get in time. Throws if they are not enough. */
export async function renderPreview(path: string): Promise<Omit<PagePreview, 'failures'>> {
  const queryClient = createQueryClient(() => {})
  const { queries } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ queries: { ...queries, retryOnMount: false } })
  const router = await loadRouter(queryClient, basePath + path)
  const tried = new Set<string>()
  let html = ''
  // Components name their queries and load their modules only when they are rendered.
  for (let round = 0; round < maxRounds; round++) {
    html = renderToString(<App router={router} queryClient={queryClient} nonce="CSP_NONCE" />)
    const missing = queryClient
      .getQueryCache()
      .getAll()
      .filter((query) => isMissing(query) && !tried.has(query.queryHash))
    if (missing.length === 0 && !html.includes(unfinished)) break
    for (const { queryHash } of missing) tried.add(queryHash)
    await Promise.all(missing.map(load))
    await nextTurn()
  }
  if (html.includes(unfinished)) throw new Error(`a part of ${path} could not be drawn`)
  const state = JSON.stringify(dehydrate(queryClient), requirePlain)
  queryClient.clear()
  return { html: toPicture(html), state }
}

/** Returns a router that has loaded a page, or the page to which it redirects. */
async function loadRouter(queryClient: QueryClient, firstPath: string) {
  let path = firstPath
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const router = createConsoleRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
    await router.load()
    const result = router._serverResult
    if (result?.type !== 'redirect') {
      const failed = router.state.matches.find(
        ({ status, error }) => status === 'error' && !isResponse(error) && !(error instanceof AccessError),
      )
      if (failed !== undefined) throw new Error(`${path} could not be loaded: ${String(failed.error)}`)
      return router
    }
    const { href } = result.redirect.options
    if (href === undefined || !href.startsWith('/')) break
    path = href
  }
  throw new Error(`${firstPath} leads elsewhere`)
}

/** Throws for a value that JSON would lose. Queries get maps and sets with `select`, which the cache does not contain. */
function requirePlain(key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set)
    throw new Error(`the cache contains a ${value.constructor.name} named ${key}`)
  return value
}

const isMissing = ({ state, options }: Query): boolean =>
  state.status === 'pending' &&
  options.queryFn !== undefined &&
  (options as QueryObserverOptions).enabled !== false

/** A query without a response in time keeps its placeholder. */
const load = async (query: Query): Promise<void> => {
  await query.fetch().catch((error: unknown) => isResponse(error) || query.reset())
}

/** Returns whether the service reports this error, so that the page shows it. */
const isResponse = (error: unknown): boolean =>
  error instanceof QuaysideError && error.status !== missingStatus
