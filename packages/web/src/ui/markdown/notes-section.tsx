import { Box, Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { fieldErrorsOf } from '../../api/errors.ts'
import { NewerVersion } from '../forms/stored-version.tsx'
import { IconPencil } from '../icons/icons.ts'
import { FailureBanner } from '../loading/failure-banner.tsx'
import { Section } from '../section.tsx'
import { MarkdownEditor, RenderedMarkdown } from './markdown-editor.tsx'

type Props = {
  notes: string | null
  canWrite: boolean
  maxLength: number
  texts: { empty: string; emptyReadonly: string; help: string; placeholder?: string }
  save: (notes: string | null) => Promise<unknown>
  /** Returns buttons that change what is being typed. */
  tools?: (text: string, onChange: (text: string) => void) => ReactNode
  /** Whether the notes are being edited, if the page controls it. */
  editing?: { isEditing: boolean; onChange: (isEditing: boolean) => void }
}

/** Notes in Markdown, which are edited in place. */
export function NotesSection(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { notes, canWrite, texts, editing = { isEditing: isOpen, onChange: setIsOpen } } = props
  const { onChange: setIsEditing } = editing
  const isEditing = editing.isEditing && canWrite
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
        <NotesForm {...props} onClose={() => setIsEditing(false)} />
      ) : notes === null ? (
        <Text fz="sm" c="dimmed">
          {canWrite ? texts.empty : texts.emptyReadonly}
        </Text>
      ) : (
        <RenderedMarkdown text={notes} />
      )}
    </Section>
  )
}

function NotesForm({ notes, maxLength, texts, save, tools, onClose }: Props & { onClose: () => void }) {
  const [text, setText] = useState(notes ?? '')
  const [base, setBase] = useState(notes)
  const isNewer = notes !== base && (notes ?? '') !== text
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<unknown>()

  async function submit(): Promise<void> {
    setIsSaving(true)
    try {
      await save(text.trim() === '' ? null : text)
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
      data-saves-by-key
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        // Escape must not throw away what was typed.
        if (event.key === 'Escape' && text === (base ?? '')) onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
      }}
    >
      <MarkdownEditor
        label="Notes"
        value={text}
        onChange={setText}
        maxLength={maxLength}
        {...(texts.placeholder === undefined ? {} : { placeholder: texts.placeholder })}
        help={texts.help}
        error={fieldError}
        hasFocus
      />
      {isNewer && (
        <Box mt="xs">
          <NewerVersion
            onLoad={() => {
              setText(notes ?? '')
              setBase(notes)
            }}
          />
        </Box>
      )}
      {error !== undefined && fieldError === undefined && <FailureBanner error={error} />}
      <Group gap="xs" mt="xs">
        {tools?.(text, setText)}
        <Button size="xs" variant="default" ml="auto" onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={isSaving}>
          Save
        </Button>
      </Group>
    </form>
  )
}
