import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { failureOf } from '../api/errors.ts'
import { FailureBanner } from '../ui/failure-banner.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** Shows why a page could not be loaded. A resource that the server does not find is a missing page. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  if (failureOf(error).status === 404) return <NotFoundPage />
  return (
    <FailureBanner
      error={error}
      onRetry={() => {
        queries.reset()
        reset()
        void router.invalidate()
      }}
    />
  )
}
