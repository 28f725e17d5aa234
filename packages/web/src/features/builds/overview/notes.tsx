import type { FullBuild } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { NotesSection } from '../../../ui/markdown/notes-section.tsx'
import { buildQuery } from '../build.queries.ts'

const maxLength = 1_000

export function Notes({ build }: { build: FullBuild }) {
  const queryClient = useQueryClient()
  const { application_id: applicationId, id, notes } = build
  return (
    <NotesSection
      notes={notes}
      canWrite={useSession().can('builds:write', applicationId)}
      maxLength={maxLength}
      texts={buildText.notes}
      save={async (text) => {
        const path = { application_id: applicationId, build_id: id }
        const { data } = await api.updateBuild({ ...path, body: { notes: text } })
        queryClient.setQueryData(buildQuery(applicationId, id).queryKey, data)
      }}
    />
  )
}
