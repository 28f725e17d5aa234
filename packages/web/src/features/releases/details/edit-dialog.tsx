import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FullRelease } from '@quayside/sdk'
import { api } from '../../../api/client.ts'
import { fieldErrorsOf } from '../../../api/errors.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { LabelInput } from '../label-input.tsx'
import { releasePath, useReleaseChange } from '../use-release-change.ts'
import { parseVersion, versionError } from '../version.ts'

/** Edits the version, title and labels of a release. */
export function EditDialog({ release, onClose }: { release: FullRelease; onClose: () => void }) {
  const change = useReleaseChange(release)
  const stored = {
    version: release.version,
    title: release.title,
    labels: release.labels.map(({ name }) => name),
  }
  const form = useForm({ initialValues: stored })
  const fields = parseVersion(form.values.version)
  async function save({ title, labels }: typeof form.values): Promise<void> {
    try {
      await change(() => api.updateRelease({ ...releasePath(release), body: { title, labels, ...fields } }))
    } catch (failure) {
      const message = versionError(fieldErrorsOf(failure))
      if (message === undefined) throw failure
      form.setFieldError('version', message)
      return
    }
    showDone(releaseText.updated)
    onClose()
  }
  return (
    <FormDialog
      title="Edit release"
      submitLabel="Save"
      form={form}
      stored={stored}
      onSubmit={save}
      onClose={onClose}
      isDisabled={fields === undefined || form.values.title.trim() === ''}
    >
      <TextInput
        label="Version"
        required
        data-autofocus
        {...form.getInputProps('version')}
        error={fields === undefined ? releaseText.version.invalid : form.errors['version']}
      />
      <TextInput label="Title" maxLength={200} required {...form.getInputProps('title')} />
      <LabelInput
        applicationId={release.application_id}
        {...form.getInputProps('labels')}
        value={form.values.labels}
      />
    </FormDialog>
  )
}
