import type { UseQueryResult } from '@tanstack/react-query'
import { failureOf } from '../api/errors.ts'
import { FailureBanner } from '../ui/loading/failure-banner.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** Takes the place of a page whose resource could not be loaded. One that the server does not find is a missing page. */
export function QueryFailure({
  query: { error, refetch },
}: {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
}) {
  if (failureOf(error).status === 404) return <NotFoundPage />
  return <FailureBanner error={error} onRetry={() => void refetch()} />
}
