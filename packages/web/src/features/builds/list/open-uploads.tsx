import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { plural } from '../../../ui/format/bytes.ts'
import { useUploads } from '../../uploads/upload-queue.ts'
import { openUploadsQuery } from '../open-uploads.queries.ts'
import { OpenUploadRow } from './open-upload-row.tsx'
import classes from './open-uploads.module.css'

const maxRows = 4
const topPx = 200

function subscribeToScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

const useIsAtTop = (): boolean =>
  useSyncExternalStore(
    subscribeToScroll,
    () => window.scrollY < topPx,
    () => true,
  )

type Props = {
  applicationId: string
  /** Called before the browser paints another number of rows. */
  onResize: () => void
}

/** Shows the uploads of other people and programs while they arrive. This browser's own are in the sidebar. */
export function OpenUploads({ applicationId, onResize }: Props) {
  // Without a subscription, the rows stay as they are, so that the list below does not move while it is scrolled.
  const isAtTop = useIsAtTop()
  const { data = [] } = useQuery({ ...openUploadsQuery(applicationId), subscribed: isAtTop })
  const own = new Set(useUploads().map(({ pendingUploadId }) => pendingUploadId))
  const others = data.filter(({ pending_upload_id: id }) => !own.has(id))
  const hidden = others.length - maxRows
  useLayoutEffect(onResize, [others.length, onResize])
  if (others.length === 0) return null
  return (
    <section aria-label="Uploads in progress" className={classes.uploads}>
      {others.slice(0, maxRows).map((upload) => (
        <OpenUploadRow key={upload.pending_upload_id} upload={upload} />
      ))}
      {hidden > 0 && <p className={classes.more}>and {plural(hidden, 'more upload')}</p>}
    </section>
  )
}
