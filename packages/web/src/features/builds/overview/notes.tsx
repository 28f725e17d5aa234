import { Button, SegmentedControl, Skeleton, Text, Textarea } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { fieldErrorsOf } from '../../../api/errors.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/build.ts'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { Section } from '../../../ui/section.tsx'
import { buildQuery } from '../build.queries.ts'
import classes from './overview.module.css'

const MarkdownText = lazy(async () => ({ default: (await import('../../../ui/markdown.tsx')).MarkdownText }))

const maxLength = 1_000

/** The notes of a build, which are edited in place. */
export function Notes({ build }: { build: FullBuild }) {
  const [isEditing, setIsEditing] = useState(false)
  const { can } = useSession()
  const canWrite = can('builds:write', build.application_id)
  const { notes } = build
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
        <NotesEditor build={build} onClose={() => setIsEditing(false)} />
      ) : notes === null ? (
        <Text fz="sm" c="dimmed">
          {canWrite ? buildText.notes.empty : buildText.notes.emptyReadonly}
        </Text>
      ) : (
        <Rendered text={notes} />
      )}
    </Section>
  )
}

function Rendered({ text }: { text: string }) {
  return (
    <div className={classes.notes}>
      <Suspense fallback={<Skeleton height={16} width="60%" />}>
        <MarkdownText text={text} />
      </Suspense>
    </div>
  )
}

function NotesEditor({ build, onClose }: { build: FullBuild; onClose: () => void }) {
  const [text, setText] = useState(build.notes ?? '')
  const [mode, setMode] = useState<'write' | 'preview'>('write')
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const queryClient = useQueryClient()

  async function save(): Promise<void> {
    setIsSaving(true)
    try {
      const { data } = await api.updateBuild({
        application_id: build.application_id,
        build_id: build.id,
        body: { notes: text.trim() === '' ? null : text },
      })
      queryClient.setQueryData(buildQuery(build.application_id, build.id).queryKey, data)
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
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
      }}
    >
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="Mode of the editor"
        data={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
        ]}
        value={mode}
        onChange={(value) => setMode(value === 'preview' ? 'preview' : 'write')}
      />
      {mode === 'write' ? (
        <Textarea
          aria-label="Notes"
          autosize
          minRows={6}
          maxRows={20}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={fieldError}
          autoFocus
        />
      ) : (
        <div className={classes.preview}>
          <Rendered text={text} />
        </div>
      )}
      {error !== undefined && fieldError === undefined && <FailureBanner error={error} />}
      <div className={classes.foot}>
        <Text fz="xs" c="dimmed">
          {buildText.notes.help} {text.length} / {maxLength}
        </Text>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={isSaving}>
          Save
        </Button>
      </div>
    </form>
  )
}
