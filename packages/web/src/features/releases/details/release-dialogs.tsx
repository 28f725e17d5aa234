import { List, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FullRelease } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { localInput } from '../../../ui/format/local-input.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { OpenItems } from '../checklist/release-checklist.tsx'
import { ScheduleFields } from '../schedule-fields.tsx'
import { futureTimestamp } from '../schedule-times.ts'
import { releasePath, useReleaseChange } from '../use-release-change.ts'
import { AudienceSummary } from './audience-summary.tsx'

type Props = { release: FullRelease; onClose: () => void }

const nameOf = ({ version, title }: FullRelease): string => `${version} · ${title}`

/** Asks before a release is published, and says who is notified and where it becomes visible. */
export function PublishDialog({ release, onClose }: Props) {
  const change = useReleaseChange(release)
  const verb = release.status === 'withdrawn' ? 'Publish again' : 'Publish'
  return (
    <ConfirmDialog
      title={`${verb}: ${nameOf(release)}`}
      confirmLabel={verb}
      onClose={onClose}
      onConfirm={async () => {
        const { notified_count: count } = await change(() => api.publishRelease(releasePath(release)))
        showDone(releaseText.created.published(count))
      }}
    >
      <Stack gap="sm">
        <OpenItems release={release} />
        <AudienceSummary release={release} />
      </Stack>
    </ConfirmDialog>
  )
}

/** Chooses the time at which a release is published automatically. */
export function ScheduleDialog({ release, onClose }: Props) {
  const change = useReleaseChange(release)
  const form = useForm({
    initialValues: {
      scheduled_for: release.scheduled_for === null ? '' : localInput(new Date(release.scheduled_for)),
    },
    validate: { scheduled_for: (value) => (value === '' ? releaseText.schedule.missing : null) },
  })
  async function schedule(): Promise<void> {
    const time = futureTimestamp(form.values.scheduled_for)
    if (time === undefined) return
    await change(() => api.scheduleRelease({ ...releasePath(release), body: { scheduled_for: time } }))
    showDone(releaseText.created.scheduled)
    onClose()
  }
  return (
    <FormDialog
      title={`Schedule: ${nameOf(release)}`}
      submitLabel={release.status === 'scheduled' ? 'Change the time' : 'Schedule'}
      form={form}
      onSubmit={schedule}
      onClose={onClose}
    >
      <ScheduleFields {...form.getInputProps('scheduled_for')} value={form.values.scheduled_for} />
      <OpenItems release={release} />
      <AudienceSummary release={release} />
    </FormDialog>
  )
}

/** Asks before a release is hidden from the people who have it. */
export function WithdrawDialog({ release, onClose }: Props) {
  const change = useReleaseChange(release)
  return (
    <ConfirmDialog
      title={`Withdraw: ${nameOf(release)}`}
      confirmLabel="Withdraw"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await change(() => api.withdrawRelease(releasePath(release)))
        showDone(releaseText.withdraw.done)
      }}
    >
      <Stack gap="xs">
        <Text fz="sm">{releaseText.withdraw.published}</Text>
        <List size="sm">
          {releaseText.withdraw.points.map((point) => (
            <List.Item key={point}>{point}</List.Item>
          ))}
        </List>
        <Text fz="sm">{releaseText.withdraw.after}</Text>
      </Stack>
    </ConfirmDialog>
  )
}

/** Asks before a release is deleted. A published one must be named, because people lose access at once. */
export function DeleteDialog({ release, onClose }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { application_id: applicationId, id } = release
  return (
    <ConfirmDialog
      title={`Delete: ${nameOf(release)}`}
      confirmLabel="Delete release"
      isDangerous
      {...(release.status === 'published' ? { typeToConfirm: release.version } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteRelease(releasePath(release))
        await navigate({ to: '/applications/$applicationId/releases', params: { applicationId } })
        queryClient.removeQueries({ queryKey: applicationKey(applicationId, 'releases', 'one', id) })
        await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'releases', 'list') })
        showDone(releaseText.remove.done)
      }}
    >
      <Text fz="sm">{releaseText.remove.consequences}</Text>
    </ConfirmDialog>
  )
}
