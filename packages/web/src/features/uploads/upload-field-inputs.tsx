import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FilterMenu } from '../../ui/menu/filter-menu.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import type { Upload, UploadFields } from '../../upload/upload.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { labelsQuery } from '../labels/label.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'
import classes from './upload-field-inputs.module.css'
import { uploadQueue } from './upload-queue.ts'
import { rememberStream } from './upload-target.ts'

type Props = { upload: Upload }

/** The attributes of the build. They can be changed until the last byte has arrived. */
export function UploadFieldInputs({ upload }: Props) {
  const { id, applicationId, filename, fields, fieldErrors } = upload
  const { data: application } = useQuery(applicationQuery(applicationId))
  const set = (change: Partial<UploadFields>) => uploadQueue.setFields(id, change)
  const editing = editingOf(id)
  const platforms = application?.platforms.map(({ identifier: value, name: label }) => ({ value, label }))
  return (
    <div className={classes.fields} role="group" aria-label={`Attributes of ${filename}`}>
      <Select
        size="xs"
        label="Platform"
        placeholder="Choose"
        data={platforms ?? []}
        value={fields.platform}
        error={fieldErrors.platform}
        allowDeselect={false}
        searchable
        onChange={(platform) => set({ platform })}
        {...editing}
      />
      <TextInput
        size="xs"
        label="Version"
        placeholder="Such as 1.2.3"
        value={fields.version}
        error={fieldErrors.version}
        onChange={(event) => set({ version: event.currentTarget.value })}
        {...editing}
      />
      <TextInput
        size="xs"
        label="Build number"
        placeholder="Optional"
        value={fields.buildNumber}
        maxLength={100}
        error={fieldErrors.buildNumber}
        onChange={(event) => set({ buildNumber: event.currentTarget.value })}
        {...editing}
      />
      <StreamSelect upload={upload} />
      <LabelField upload={upload} />
    </div>
  )
}

function StreamSelect({ upload: { id, applicationId, fields, fieldErrors } }: Props) {
  const { data: streams } = useQuery(streamsQuery(applicationId))
  return (
    <Select
      size="xs"
      label="Stream"
      data={streams?.map(({ name }) => name) ?? [fields.stream]}
      value={fields.stream}
      error={fieldErrors.stream}
      allowDeselect={false}
      onChange={(stream) => {
        if (stream === null) return
        rememberStream(applicationId, stream)
        uploadQueue.setFields(id, { stream })
      }}
      {...editingOf(id)}
    />
  )
}

function LabelField({ upload: { id, applicationId, fields, fieldErrors } }: Props) {
  const { data: labels } = useQuery(labelsQuery(applicationId))
  return (
    <div className={classes.labels}>
      <FilterMenu
        label="Labels"
        options={(labels ?? []).map(({ name, color }) => ({
          value: name,
          label: name,
          icon: <LabelDot name="" color={color} />,
        }))}
        values={fields.labels}
        onChange={(names) => uploadQueue.setFields(id, { labels: names })}
        allowsOther
      />
      {fieldErrors.labels !== undefined && (
        <Text fz="xs" c="red">
          {fieldErrors.labels}
        </Text>
      )}
    </div>
  )
}

// The build is not created while the person is typing, even if every byte has arrived.
const editingOf = (id: string) => ({
  onFocus: () => uploadQueue.setEditing(id, true),
  onBlur: () => uploadQueue.setEditing(id, false),
})
