import { Skeleton } from '@mantine/core'

/** Stands for the rows of a tab while they load. */
export function TabSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Loading">
      {Array.from({ length: 5 }, (_, index) => (
        <Skeleton key={index} height={40} mb={8} />
      ))}
    </div>
  )
}
