import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import {
  InfiniteQueryObserver,
  notifyManager,
  QueryClient,
  QueryObserver,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { createQueryCache } from './query-cache.ts'

const refused = (status: number) => new QuaysideError(status, 'No.')
const unreachable = new QuaysideUnreachableError('http://localhost:4400', new Error('refused'))
const createClient = () =>
  new QueryClient({ queryCache: createQueryCache(), defaultOptions: { queries: { retry: false } } })

/** Loads data, reloads it with this error, and returns every state that is shown. */
async function reloadWith(error: Error): Promise<QueryObserverResult<string>[]> {
  let isLoaded = false
  const observer = new QueryObserver(createClient(), {
    queryKey: ['release'],
    queryFn: async () => {
      if (isLoaded) throw error
      isLoaded = true
      return 'notes'
    },
  })
  const shown: QueryObserverResult<string>[] = []
  // React reads the state in this way.
  const stop = observer.subscribe(notifyManager.batchCalls(() => shown.push(observer.getCurrentResult())))
  await observer.refetch()
  await observer.refetch()
  shown.push(observer.getCurrentResult())
  stop()
  return shown
}

describe('the query cache', () => {
  for (const [name, error] of [
    ['the server cannot be reached', unreachable],
    ['a proxy responds with 502', refused(502)],
    ['the server fails', refused(500)],
    ['there are too many requests', refused(429)],
  ] as const)
    test(`keeps loaded data if ${name}`, async () => {
      const shown = await reloadWith(error)
      assert.deepEqual(new Set(shown.map((result) => result.error)), new Set([null]))
      const last = shown.at(-1)
      assert.equal(last?.data, 'notes')
      assert.equal(last.isStale, true)
    })

  for (const status of [401, 403, 404, 410])
    test(`reports a response with ${status} to a reload`, async () => {
      const error = refused(status)
      assert.equal((await reloadWith(error)).at(-1)?.error, error)
    })

  test('reports why data could not be loaded for the first time', async () => {
    const observer = new QueryObserver(createClient(), {
      queryKey: ['release'],
      queryFn: () => Promise.reject(unreachable),
    })
    assert.equal((await observer.refetch()).error, unreachable)
  })

  test('reports why the next page of a list could not be loaded', async () => {
    const observer = new InfiniteQueryObserver(createClient(), {
      queryKey: ['releases'],
      queryFn: ({ pageParam }) => (pageParam === 1 ? Promise.resolve(['1.0']) : Promise.reject(unreachable)),
      initialPageParam: 1,
      getNextPageParam: () => 2,
    })
    const stop = observer.subscribe(() => {})
    await observer.refetch()
    const { data, error } = await observer.fetchNextPage()
    stop()
    assert.equal(error, unreachable)
    assert.deepEqual(data?.pages, [['1.0']])
  })
})
