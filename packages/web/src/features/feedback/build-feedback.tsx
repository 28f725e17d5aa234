import type { FullBuild } from '@quayside/sdk'
import { useState } from 'react'
import { FeedbackList } from './feedback-list.tsx'
import type { FeedbackSearch } from './feedback.queries.ts'

/** What testers wrote about a build. */
export function BuildFeedback({ build }: { build: FullBuild }) {
  const [search, setSearch] = useState<FeedbackSearch>({})
  return (
    <FeedbackList
      key={build.id}
      applicationId={build.application_id}
      buildId={build.id}
      search={search}
      onChange={(change) => setSearch({ ...search, ...change })}
    />
  )
}
