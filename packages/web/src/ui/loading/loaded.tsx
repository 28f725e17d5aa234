import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureBanner } from './failure-banner.tsx'

type Props<T> = { query: UseQueryResult<T>; rows?: number; children: (data: T) => ReactNode }

/** Shows lines in the shape of a list until a query has loaded, then its data, or why it failed. */
export function Loaded<T>({ query: { data, error, refetch }, rows = 4, children }: Props<T>) {
  if (data !== undefined) return children(data)
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  return (
    <Stack gap={1} role="status" aria-busy aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={56} radius="md" />
      ))}
    </Stack>
  )
}
