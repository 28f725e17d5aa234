import { MultiSelect, Radio, Select, Stack, Text } from '@mantine/core'
import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import type { Application, Portal } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { streamsQuery } from '../streams/stream.queries.ts'
import type { PortalApplication } from './portal.queries.ts'
import { portalChanged } from './portal.queries.ts'

type Props = {
  portal: Portal
  onClose: () => void
  /** The application whose selection changes, or the applications of which one is added. */
  application?: PortalApplication
  candidates?: readonly Pick<Application, 'id' | 'name'>[]
}

const modes = ['all', 'selective', 'none'] as const
const modeTexts = { releases_mode: 'releases', streams_mode: 'streams' } as const
type Mode = (typeof modes)[number]
type Values = { application: string | null; releases_mode: Mode; streams_mode: Mode; stream_ids: string[] }

/** Adds an application to a portal, or changes what the portal shows of it. */
export function PortalApplicationDialog({ portal, application, candidates = [], onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: {
      application: application?.id ?? (candidates.length === 1 ? (candidates[0]?.id ?? null) : null),
      releases_mode: application?.releases_mode ?? 'all',
      streams_mode: application?.streams_mode ?? 'none',
      stream_ids: application?.stream_ids ?? [],
    },
    validate: { application: isNotEmpty(fieldText.chooseApplication) },
  })
  const { releases_mode: releasesMode, streams_mode: streamsMode } = form.values
  async function save({ application: id, stream_ids: ids, ...shownModes }: Values): Promise<void> {
    const { data } = await api.replacePortalApplication({
      portal_id: portal.id,
      application_id: id ?? '',
      body: { ...shownModes, stream_ids: shownModes.streams_mode === 'selective' ? ids : [] },
    })
    await portalChanged(queryClient, data)
    onClose()
  }
  const withdraws = application?.releases_mode === 'selective' && releasesMode !== 'selective'
  return (
    <FormDialog
      title={
        application === undefined ? 'Add an application' : `What the portal shows of ${application.name}`
      }
      submitLabel={application === undefined ? 'Add application' : 'Save'}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      {application === undefined && (
        <Select
          label="Application"
          data={candidates.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          openOnFocus={false}
          data-autofocus
          {...form.getInputProps('application')}
        />
      )}
      <ModeField form={form} name="releases_mode" label="Releases" />
      {withdraws && (
        <Text fz="sm" c="var(--q-warn)">
          {portalText.withdrawal}
        </Text>
      )}
      <ModeField form={form} name="streams_mode" label="Builds of streams" />
      {streamsMode === 'selective' && <StreamsField form={form} />}
    </FormDialog>
  )
}

type ModeProps = { form: UseFormReturnType<Values>; name: 'releases_mode' | 'streams_mode'; label: string }

function ModeField({ form, name, label }: ModeProps) {
  return (
    <Radio.Group label={label} {...form.getInputProps(name)}>
      <Stack gap={8} mt={6}>
        {modes.map((mode) => (
          <Radio key={mode} value={mode} label={portalText.modes[mode][modeTexts[name]]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function StreamsField({ form }: Pick<ModeProps, 'form'>) {
  const { application: applicationId } = form.values
  const { data: streams = [] } = useQuery({
    ...streamsQuery(applicationId ?? ''),
    enabled: applicationId !== null,
  })
  return (
    <MultiSelect
      label="Streams"
      data={streams.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      disabled={applicationId === null}
      {...form.getInputProps('stream_ids')}
    />
  )
}
