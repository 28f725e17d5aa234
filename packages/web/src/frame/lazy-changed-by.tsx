import type { ChangeEvent } from '@quayside/sdk'
import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { onLiveMessage } from '../api/live.ts'
import { lazyOptional } from '../ui/loading/lazy.tsx'

const ChangedBy = lazyOptional(async () => (await import('./changed-by.tsx')).ChangedBy)

/** Hints at changes of what the page shows by others. Loads the hint with the first change. */
export function LazyChangedBy() {
  const { applicationId, releaseId, buildId } = useParams({ strict: false })
  const [change, setChange] = useState<ChangeEvent>()
  const shown = releaseId ?? buildId ?? applicationId
  useEffect(() => {
    setChange(undefined)
    return onLiveMessage((message) => {
      if (message.type !== 'change' || message.change.action === 'created') return
      const { type, id, application_id: owner } = message.change
      const isShown = id === shown || (type === 'stream' && owner === applicationId)
      if (isShown) setChange(message.change)
    })
  }, [shown, applicationId])
  return (
    change !== undefined && (
      <Suspense>
        <ChangedBy change={change} />
      </Suspense>
    )
  )
}
