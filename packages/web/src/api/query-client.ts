import { QuaysideError } from '@quayside/sdk'
import { hashKey, QueryClient } from '@tanstack/react-query'
import { createQueryCache } from './query-cache.ts'
import { sessionQuery } from './session.ts'

/**
 * Creates the cache of everything that the server has sent. The SDK already retries requests that may be repeated.
 * `onSignedOut` is called when a request fails because the session has ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const client = new QueryClient({
    queryCache: createQueryCache(),
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, gcTime: 5 * 60_000 },
      mutations: { retry: false },
    },
  })
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.status !== 'error' || !isSignedOut(query.state.error)) return
    // The router itself handles a page that is opened without a session.
    const isFirstPage = query.queryHash === hashKey(sessionQuery.queryKey) && query.state.data === undefined
    if (!isFirstPage) onSignedOut()
  })
  client.getMutationCache().subscribe(({ type, mutation }) => {
    if (type === 'updated' && mutation.state.status === 'error' && isSignedOut(mutation.state.error))
      onSignedOut()
  })
  return client
}

const isSignedOut = (error: unknown): boolean => error instanceof QuaysideError && error.status === 401
