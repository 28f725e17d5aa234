import { Button } from '@mantine/core'
import type { Build } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { releaseText } from '../../../text/releases/release.ts'
import { IconFileDescription } from '../../../ui/icons/icons.ts'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { draftNotes } from './draft-notes.ts'
import { releaseChangesQuery } from './previous-release.queries.ts'

type Props = {
  applicationId: string
  /** Undefined if the release has not been created yet. */
  releaseId: string | undefined
  builds: readonly Build[]
  text: string
  onChange: (text: string) => void
}

const text = releaseText.notes

/** Adds the notes of the builds since the previous release to what was typed. */
export function DraftNotesButton({ applicationId, releaseId, builds, text: typed, onChange }: Props) {
  const queryClient = useQueryClient()
  const [isLoading, setIsLoading] = useState(false)

  async function draft(): Promise<void> {
    setIsLoading(true)
    try {
      const query = releaseChangesQuery({ applicationId, releaseId, builds })
      const changes = await queryClient.query(query)
      const notes = draftNotes(changes.builds, text.otherChanges)
      const since = changes.previous?.version
      const withNotes = changes.builds.filter((build) => (build.notes ?? '').trim() !== '').length
      if (notes === '') return showDone(text.nothingToDraft(since))
      onChange(typed.trim() === '' ? notes : `${typed.trimEnd()}\n\n${notes}`)
      showDone(text.drafted(withNotes, changes.builds.length, since))
    } catch (error) {
      showFailure(error)
    } finally {
      setIsLoading(false)
    }
  }

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconFileDescription size={14} />}
      loading={isLoading}
      disabled={builds.length === 0}
      onClick={() => void draft()}
    >
      {text.draft}
    </Button>
  )
}
