import { Button, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { uploadText } from '../../text/builds/upload.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import { FilterMenu } from '../../ui/menu/filter-menu.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import type { Upload, UploadFields } from '../../upload/upload.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { labelsQuery } from '../labels/label.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'
import { ApplicationField } from './application-field.tsx'
import classes from './upload-field-inputs.module.css'
import { uploadQueue } from './upload-queue.ts'
import { rememberStream } from './upload-target.ts'

/** The attributes of a build. They can be changed until the last byte has arrived. */
export function UploadFieldInputs({ upload }: { upload: Upload }) {
  const { id, applicationId, filename, fields, fieldErrors } = upload
  const { data: application } = useQuery(applicationQuery(applicationId))
  const uploads = [upload]
  const editing = useEditing(uploads)
  const platforms = application?.platforms.map(({ identifier: value, name: label }) => ({ value, label }))
  return (
    <div className={classes.fields} role="group" aria-label={`Attributes of ${filename}`}>
      <ApplicationField upload={upload} />
      <Select
        size="xs"
        label="Platform"
        placeholder="Choose"
        data={platforms ?? []}
        value={fields.platform}
        error={fieldErrors.platform}
        allowDeselect={false}
        searchable
        onChange={(platform) => uploadQueue.setFields(id, { platform })}
        {...editing}
      />
      <VersionField uploads={uploads} />
      <TextInput
        size="xs"
        label="Build number"
        placeholder="Optional"
        value={fields.buildNumber}
        maxLength={100}
        error={fieldErrors.buildNumber}
        onChange={(event) => uploadQueue.setFields(id, { buildNumber: event.currentTarget.value })}
        {...editing}
      />
      <StreamField uploads={uploads} />
      <LabelField uploads={uploads} />
      <NotesField uploads={uploads} />
    </div>
  )
}

type Props = { uploads: readonly Upload[] }

/** The attributes that files of one drop usually share. A change applies to all of them. */
export function SharedFieldInputs({ uploads }: Props) {
  const title = uploadText.setForAll(uploads.length)
  return (
    <div className={classes.shared} role="group" aria-label={title}>
      <div>
        <Text fz="sm" fw={600}>
          {title}
        </Text>
        <Text fz="xs" c="dimmed">
          {uploadText.setForAllHint}
        </Text>
      </div>
      <div className={classes.fields}>
        <VersionField uploads={uploads} />
        <StreamField uploads={uploads} />
        <LabelField uploads={uploads} />
        <NotesField uploads={uploads} />
      </div>
    </div>
  )
}

function VersionField({ uploads }: Props) {
  const version = sharedValue(uploads, 'version')
  return (
    <TextInput
      size="xs"
      label="Version"
      placeholder={version === undefined ? uploadText.different : 'Such as 1.2.3'}
      value={version ?? ''}
      error={sharedError(uploads, 'version')}
      onChange={(event) => setAll(uploads, { version: event.currentTarget.value })}
      {...useEditing(uploads)}
    />
  )
}

function StreamField({ uploads }: Props) {
  const applicationIds = [...new Set(uploads.map(({ applicationId }) => applicationId))]
  const lists = useQueries({ queries: applicationIds.map(streamsQuery) })
  const stream = sharedValue(uploads, 'stream')
  const [first, ...others] = lists.map(({ data }) => data?.map(({ name }) => name) ?? [])
  const names = (first ?? []).filter((name) => others.every((list) => list.includes(name)))
  return (
    <Select
      size="xs"
      label="Stream"
      data={names.length === 0 && stream !== undefined ? [stream] : names}
      value={stream ?? null}
      placeholder={uploadText.different}
      error={sharedError(uploads, 'stream')}
      allowDeselect={false}
      onChange={(name) => {
        if (name === null) return
        for (const applicationId of applicationIds) rememberStream(applicationId, name)
        setAll(uploads, { stream: name })
      }}
      {...useEditing(uploads)}
    />
  )
}

function LabelField({ uploads }: Props) {
  const applicationIds = [...new Set(uploads.map(({ applicationId }) => applicationId))]
  const lists = useQueries({ queries: applicationIds.map(labelsQuery) })
  const labels = new Map(lists.flatMap(({ data = [] }) => data.map(({ name, color }) => [name, color])))
  const [first, ...others] = uploads.map(({ fields }) => fields.labels)
  const common = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  const error = sharedError(uploads, 'labels')
  function change(names: string[]): void {
    for (const { id, fields } of uploads) {
      const kept = fields.labels.filter((name) => !common.includes(name) || names.includes(name))
      uploadQueue.setFields(id, { labels: [...new Set([...kept, ...names])] })
    }
  }
  return (
    <div className={classes.labels}>
      <FilterMenu
        label="Labels"
        options={[...labels].map(([name, color]) => ({
          value: name,
          label: name,
          icon: <LabelDot name="" color={color} />,
        }))}
        values={common}
        onChange={change}
        allowsOther
      />
      {error !== undefined && (
        <Text fz="xs" c="red">
          {error}
        </Text>
      )}
    </div>
  )
}

function NotesField({ uploads }: Props) {
  const notes = sharedValue(uploads, 'notes')
  const [isOpen, setIsOpen] = useState(false)
  const editing = useEditing(uploads)
  if (!isOpen && notes === '')
    return (
      <div className={classes.labels}>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setIsOpen(true)}
        >
          {uploadText.addNotes}
        </Button>
      </div>
    )
  return (
    <Textarea
      className={classes.notes}
      size="xs"
      label="Notes"
      placeholder={notes === undefined ? uploadText.different : uploadText.notesExample}
      autosize
      minRows={2}
      maxRows={8}
      data-autofocus={isOpen || undefined}
      autoFocus={isOpen}
      value={notes ?? ''}
      error={sharedError(uploads, 'notes')}
      onChange={(event) => setAll(uploads, { notes: event.currentTarget.value })}
      {...editing}
    />
  )
}

/** Returns the value that all uploads have in a field; undefined if they differ. */
function sharedValue<Name extends keyof UploadFields>(
  uploads: readonly Upload[],
  name: Name,
): UploadFields[Name] | undefined {
  const [first, ...others] = uploads
  return others.every(({ fields }) => fields[name] === first?.fields[name]) ? first?.fields[name] : undefined
}

/** Returns the message for a field that is invalid in every upload. The rows show the others. */
function sharedError(uploads: readonly Upload[], name: keyof UploadFields): string | undefined {
  const [first, ...others] = uploads
  const error = first?.fieldErrors[name]
  return others.every(({ fieldErrors }) => fieldErrors[name] === error) ? error : undefined
}

function setAll(uploads: readonly Upload[], change: Partial<UploadFields>): void {
  for (const { id } of uploads) uploadQueue.setFields(id, change)
}

/** Keeps builds from being created while the person is typing, even if every byte has arrived. */
function useEditing(uploads: readonly Upload[]) {
  const editing = useRef<readonly string[]>([])
  const end = () => {
    for (const id of editing.current) uploadQueue.setEditing(id, false)
    editing.current = []
  }
  // The browser reports no blur for a field that is removed.
  useEffect(() => end, [])
  return {
    onFocus() {
      editing.current = uploads.map(({ id }) => id)
      for (const id of editing.current) uploadQueue.setEditing(id, true)
    },
    onBlur: end,
  }
}
