import { Skeleton, Stack } from '@mantine/core'

/** Stands for a page while it loads: a title and rows. */
export function PageSkeleton() {
  return (
    <Stack gap="sm" role="status" aria-busy aria-label="Loading">
      <Skeleton height={28} width="18rem" />
      <Skeleton height={14} width="28rem" maw="100%" mb="md" />
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height={36} />
      ))}
    </Stack>
  )
}
