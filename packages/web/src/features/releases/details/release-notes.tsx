import { Button, Group, Text } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { fieldErrorsOf } from '../../../api/errors.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/release.ts'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { MarkdownEditor, RenderedMarkdown } from '../../../ui/markdown-editor.tsx'
import { Section } from '../../../ui/section.tsx'
import { releasePath, useReleaseChange } from '../use-release-change.ts'

/** The number of characters that the notes of a release can have. */
export const maxNotesLength = 20_000

/** The notes of a release, which are edited in place. */
export function ReleaseNotes({ release }: { release: FullRelease }) {
  const [isEditing, setIsEditing] = useState(false)
  const { can } = useSession()
  const canWrite = can('releases:write', release.application_id)
  const { notes } = release
  return (
    <Section
      title="Notes"
      actions={
        canWrite &&
        !isEditing && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconPencil size={14} />}
            onClick={() => setIsEditing(true)}
          >
            {notes === null ? 'Write notes' : 'Edit'}
          </Button>
        )
      }
    >
      {isEditing ? (
        <NotesForm release={release} onClose={() => setIsEditing(false)} />
      ) : notes === null ? (
        <Text fz="sm" c="dimmed">
          {canWrite ? releaseText.notes.empty : releaseText.notes.emptyReadonly}
        </Text>
      ) : (
        <RenderedMarkdown text={notes} />
      )}
    </Section>
  )
}

function NotesForm({ release, onClose }: { release: FullRelease; onClose: () => void }) {
  const change = useReleaseChange(release)
  const [text, setText] = useState(release.notes ?? '')
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<unknown>()

  async function save(): Promise<void> {
    setIsSaving(true)
    try {
      const notes = text.trim() === '' ? null : text
      await change(() => api.updateRelease({ ...releasePath(release), body: { notes } }))
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsSaving(false)
    }
  }

  const fieldError = fieldErrorsOf(error)['notes']
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text === (release.notes ?? '')) onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
      }}
    >
      <MarkdownEditor
        label="Notes"
        value={text}
        onChange={setText}
        maxLength={maxNotesLength}
        placeholder={releaseText.notes.placeholder}
        help={releaseText.notes.help}
        error={fieldError}
        hasFocus
      />
      {error !== undefined && fieldError === undefined && <FailureBanner error={error} />}
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={isSaving}>
          Save
        </Button>
      </Group>
    </form>
  )
}
