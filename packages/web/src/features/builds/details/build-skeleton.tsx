import { Skeleton } from '@mantine/core'
import classes from './build-details.module.css'

/** Stands for the page of a build while it loads. */
export function BuildSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Loading the build">
      <Skeleton height={16} width="5rem" mb="sm" />
      <div className={classes.skeletonHead}>
        <Skeleton height={56} width={56} radius={13} />
        <div className={classes.skeletonText}>
          <Skeleton height={22} width="16rem" maw="80%" />
          <Skeleton height={14} width="30rem" maw="100%" mt={10} />
        </div>
      </div>
      <Skeleton height={36} mt="lg" mb="lg" />
      <div className={classes.columns}>
        <div>
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} height={14} mb={20} width={index % 2 === 0 ? '80%' : '60%'} />
          ))}
        </div>
        <Skeleton height={220} />
      </div>
    </div>
  )
}
