import { Suspense } from 'react'
import { lazyOptional } from '../../ui/loading/lazy.tsx'
import { isFinished } from '../../upload/upload.ts'
import { useUploads } from './upload-queue.ts'

const UploadIndicator = lazyOptional(async () => (await import('./upload-indicator.tsx')).UploadIndicator)

/** Shows the progress of all unfinished uploads on every page. */
export function SidebarUploads({ isCompact = false }: { isCompact?: boolean }) {
  const unfinished = useUploads().filter((upload) => !isFinished(upload))
  if (unfinished.length === 0) return null
  return (
    <Suspense>
      <UploadIndicator uploads={unfinished} isCompact={isCompact} />
    </Suspense>
  )
}
