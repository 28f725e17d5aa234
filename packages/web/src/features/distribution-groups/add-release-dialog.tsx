import { Checkbox, Select } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import type { DistributionGroup, DistributionGroupRelease } from '@quayside/sdk'
import { keepPreviousData, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { releaseOptionsQuery } from '../releases/release.queries.ts'
import { reloadGroups } from './group.queries.ts'

type Props = {
  group: DistributionGroup
  /** The releases that the group already has. */
  added: readonly DistributionGroupRelease[]
  onClose: () => void
}

/** Shares a release with the members of a group, and notifies them by email if that is wanted. */
export function AddReleaseDialog({ group, added, onClose }: Props) {
  const queryClient = useQueryClient()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const canNotify = group.is_active && group.tester_count > 0
  const form = useReleaseForm(applications, canNotify)
  return (
    <FormDialog
      title={`Add a release to ${group.name}`}
      submitLabel={form.values.notify ? 'Add and notify' : 'Add release'}
      form={form}
      onClose={onClose}
      onSubmit={async ({ release_id: id, notify }) => {
        const { message } = await api.addDistributionGroupRelease({
          distribution_group_id: group.id,
          body: { release_id: id ?? '', notify },
        })
        await reloadGroups(queryClient)
        onClose()
        showDone(message)
      }}
    >
      <Select
        label="Application"
        data={applications.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        openOnFocus={false}
        data-autofocus
        {...form.getInputProps('application')}
        onChange={(value: string | null) => form.setValues({ application: value, release_id: null })}
      />
      <ReleaseSelect form={form} added={added} />
      <Checkbox
        label="Notify the members by email"
        description={group.is_active ? groupText.notify(group.tester_count) : groupText.notifyInactive}
        disabled={!canNotify}
        {...form.getInputProps('notify', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

function useReleaseForm(applications: readonly { id: string }[], canNotify: boolean) {
  return useForm({
    initialValues: {
      application: applications.length === 1 ? (applications[0]?.id ?? null) : null,
      release_id: null as string | null,
      notify: canNotify,
    },
    validate: {
      application: isNotEmpty(fieldText.chooseApplication),
      release_id: isNotEmpty(groupText.chooseRelease),
    },
  })
}

type SelectProps = Pick<Props, 'added'> & { form: ReturnType<typeof useReleaseForm> }

function ReleaseSelect({ form, added }: SelectProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 150)
  const { application } = form.values
  const { data: releases = [] } = useQuery({
    ...releaseOptionsQuery(application ?? '', search),
    enabled: application !== null,
    placeholderData: keepPreviousData,
  })
  const candidates = releases.filter(({ id }) => !added.some((release) => release.id === id))
  return (
    <Select
      label="Release"
      data={candidates.map(({ id, version, title, status }) => ({
        value: id,
        label: [title === version ? version : `${version} · ${title}`, status !== 'published' && status]
          .filter(Boolean)
          .join(' · '),
      }))}
      searchable
      onSearchChange={setText}
      disabled={application === null}
      nothingFoundMessage="No other release"
      {...form.getInputProps('release_id')}
    />
  )
}
