import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { fieldErrorsOf } from '../../../api/errors.ts'
import { releaseText } from '../../../text/release.ts'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { LabelInput } from '../label-input.tsx'
import { releasePath, useReleaseChange } from '../use-release-change.ts'
import { parseVersion, versionError } from '../version.ts'

/** Edits the version, title and labels of a release. */
export function EditDialog({ release, onClose }: { release: FullRelease; onClose: () => void }) {
  const change = useReleaseChange(release)
  const [version, setVersion] = useState(release.version)
  const [title, setTitle] = useState(release.title)
  const [labels, setLabels] = useState(release.labels.map(({ name }) => name))
  const [error, setError] = useState<unknown>()
  const [isRunning, setIsRunning] = useState(false)
  const fields = parseVersion(version)

  async function save(): Promise<void> {
    if (fields === undefined) return
    setIsRunning(true)
    try {
      await change(() => api.updateRelease({ ...releasePath(release), body: { title, labels, ...fields } }))
      showDone('Release updated.')
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }

  const errors = fieldErrorsOf(error)
  return (
    <Modal opened onClose={onClose} title="Edit release">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <TextInput
            label="Version"
            value={version}
            onChange={(event) => setVersion(event.currentTarget.value)}
            error={fields === undefined ? releaseText.version.invalid : versionError(errors)}
            required
            data-autofocus
          />
          <TextInput
            label="Title"
            value={title}
            maxLength={200}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={errors['title']}
            required
          />
          <LabelInput
            applicationId={release.application_id}
            value={labels}
            onChange={setLabels}
            error={errors['labels']}
          />
          {error !== undefined && Object.keys(errors).length === 0 && <FailureBanner error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isRunning} disabled={fields === undefined || title.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
