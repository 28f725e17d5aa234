import { QuaysideError } from '@quayside/sdk'
import { QueryCache } from '@tanstack/react-query'

// After such a response, a person may no longer see the data.
const refusals = new Set([401, 403, 404, 410])

const isRefused = (error: unknown): boolean => error instanceof QuaysideError && refusals.has(error.status)

/**
 * Creates a cache in which data that could not be reloaded counts as loaded, but outdated. A page that shows an error instead of
 * its data would otherwise lose what is being typed in it. The banner of the page reports an outage.
 */
export const createQueryCache = (): QueryCache =>
  new QueryCache({
    onError: (error, query) => {
      const { data, fetchMeta } = query.state
      const isReload = data !== undefined && fetchMeta?.fetchMore === undefined
      if (isReload && !isRefused(error)) query.setState({ status: 'success', error: null })
    },
  })
