import { TextInput } from '@mantine/core'
import { releaseText } from '../../../text/releases/release.ts'
import { MarkdownEditor } from '../../../ui/markdown/markdown-editor.tsx'
import { Section } from '../../../ui/section.tsx'
import { DraftNotesButton } from '../changes/draft-notes-button.tsx'
import { maxNotesLength } from '../details/release-notes.tsx'
import { LabelInput } from '../label-input.tsx'
import classes from './new-release-form.module.css'
import type { NewRelease } from './use-new-release.ts'

type Props = {
  applicationId: string
  values: NewRelease
  set: (change: Partial<NewRelease>) => void
  errors: Record<string, string | undefined>
}

/** The version, title, labels and notes of a new release. */
export function DetailsStep({ applicationId, values, set, errors }: Props) {
  return (
    <Section title="2. Details">
      <div className={classes.fields}>
        <TextInput
          label="Version"
          placeholder="2.14.0"
          value={values.version}
          onChange={(event) => set({ version: event.currentTarget.value })}
          error={errors['version']}
          required
        />
        <TextInput
          label="Title"
          placeholder="What people read first"
          value={values.title}
          maxLength={200}
          onChange={(event) => set({ title: event.currentTarget.value })}
          error={errors['title']}
          required
        />
        <div className={classes.wide}>
          <LabelInput
            applicationId={applicationId}
            value={values.labels}
            onChange={(labels) => set({ labels })}
            error={errors['labels']}
          />
        </div>
        <div className={classes.wide}>
          <div className={classes.label}>Notes</div>
          <MarkdownEditor
            label="Notes"
            value={values.notes}
            onChange={(notes) => set({ notes })}
            maxLength={maxNotesLength}
            placeholder={releaseText.notes.placeholder}
            help={releaseText.notes.help}
            error={errors['notes']}
          />
          <DraftNotesButton
            applicationId={applicationId}
            releaseId={undefined}
            builds={values.builds}
            text={values.notes}
            onChange={(notes) => set({ notes })}
          />
        </div>
      </div>
    </Section>
  )
}
