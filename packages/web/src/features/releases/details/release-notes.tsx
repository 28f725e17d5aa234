import type { FullRelease } from '@quayside/sdk'
import { Suspense } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { lazyOptional } from '../../../ui/loading/lazy.tsx'
import { NotesSection } from '../../../ui/markdown/notes-section.tsx'
import { useReleaseTask } from '../release-task.ts'
import { releasePath, useReleaseChange } from '../use-release-change.ts'

const DraftNotesButton = lazyOptional(
  async () => (await import('../changes/draft-notes-button.tsx')).DraftNotesButton,
)

/** The number of characters that the notes of a release can have. */
export const maxNotesLength = 20_000

export function ReleaseNotes({ release }: { release: FullRelease }) {
  const change = useReleaseChange(release)
  const { task, start } = useReleaseTask()
  return (
    <NotesSection
      editing={{
        isEditing: task === 'notes',
        onChange: (isEditing) => start(isEditing ? 'notes' : undefined),
      }}
      notes={release.notes}
      canWrite={useSession().can('releases:write', release.application_id)}
      maxLength={maxNotesLength}
      texts={releaseText.notes}
      tools={(text, onChange) => (
        <Suspense>
          <DraftNotesButton
            applicationId={release.application_id}
            releaseId={release.id}
            builds={release.builds}
            text={text}
            onChange={onChange}
          />
        </Suspense>
      )}
      save={(notes) => change(() => api.updateRelease({ ...releasePath(release), body: { notes } }))}
    />
  )
}
