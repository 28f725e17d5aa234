import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, useCallback } from 'react'
import { AccessError } from '../api/access.ts'
import { failureOf } from '../api/errors.ts'
import { FailureBanner } from '../ui/loading/failure-banner.tsx'
import { lazyPart } from '../ui/loading/lazy-part.ts'
import { useReloadIfNeeded, useRetryOnReturn } from '../ui/loading/lazy.tsx'
import { NotFoundPage } from './not-found-page.tsx'

const NoAccessPage = lazyPart(async () => (await import('./no-access-page.tsx')).NoAccessPage)

/** Shows why a page could not be loaded. A resource that the server does not find is a missing page. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const { status, isOffline } = failureOf(error)
  const onRetry = useCallback(() => {
    queries.reset()
    reset()
    void router.invalidate()
  }, [queries, reset, router])
  // A proxy responds with such a status while the server is stopped.
  const isTemporary = isOffline || status >= 500
  useRetryOnReturn(useCallback(() => isTemporary && onRetry(), [isTemporary, onRetry]))
  useReloadIfNeeded(error)
  if (status === 404) return <NotFoundPage />
  if (error instanceof AccessError)
    return error.isMissing ? (
      <NotFoundPage />
    ) : (
      <Suspense>
        <NoAccessPage />
      </Suspense>
    )
  return <FailureBanner error={error} onRetry={onRetry} />
}
