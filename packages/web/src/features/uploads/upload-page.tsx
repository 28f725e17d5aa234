import { Button, Select, Text, Title } from '@mantine/core'
import type { Application } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { uploadText } from '../../text/builds/upload.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconAppWindow } from '../../ui/icons/icons.ts'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { showFailure } from '../../ui/toast.tsx'
import { isEditable, isFinished, type Upload } from '../../upload/upload.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'
import { FileChooser } from './file-chooser.tsx'
import { NeededPlatforms } from './needed-platforms.tsx'
import { exampleFile, uploadCommand } from './upload-command.ts'
import { SharedFieldInputs } from './upload-field-inputs.tsx'
import classes from './upload-page.module.css'
import { uploadFiles, uploadQueue, useUploads } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { rememberApplication, useUploadApplications } from './upload-target.ts'

const route = getRouteApi('/console/upload')

/** The uploads of this browser, and where to drop new ones. */
export function UploadPage() {
  const { application: requested } = route.useSearch()
  const queryClient = useQueryClient()
  const { all, applications, selected } = useUploadApplications(requested)
  const { data: streams } = useQuery({
    ...streamsQuery(selected?.id ?? ''),
    enabled: selected !== undefined,
  })
  const { data: application } = useQuery({
    ...applicationQuery(selected?.id ?? ''),
    enabled: selected !== undefined,
  })
  const uploads = useUploads()
  if (selected === undefined) return <NoUploadApplication hasApplications={all.length > 0} />
  const platforms = application?.platforms.map(({ identifier }) => identifier)
  const latest = uploads.findLast(({ applicationId }) => applicationId === selected.id)
  const stream = latest?.fields.stream ?? streams?.find(({ name }) => name === 'default')?.name ?? 'default'
  return (
    <>
      <PageHeader
        title="Upload"
        actions={<ApplicationSelect applications={applications} selected={selected} />}
      />
      <FileChooser
        applicationName={selected.name}
        platforms={platforms}
        isCompact={uploads.length > 0}
        onFiles={(files) => {
          rememberApplication(selected.id)
          void uploadFiles(queryClient, selected.id, files).catch(showFailure)
        }}
      />
      <NeededPlatforms uploads={uploads} />
      {uploads.length > 0 && <UploadList uploads={uploads} />}
      <TerminalCommand
        applicationId={selected.id}
        latest={latest}
        platforms={platforms ?? []}
        stream={stream}
      />
    </>
  )
}

function NoUploadApplication({ hasApplications }: { hasApplications: boolean }) {
  const { can } = useSession()
  return (
    <>
      <PageHeader title="Upload" />
      <EmptyState
        icon={<IconAppWindow size={22} />}
        title={hasApplications ? 'No application to upload to' : 'No applications yet'}
        action={
          can('applications:create') ? (
            <ButtonLink to="/applications/new">New application</ButtonLink>
          ) : undefined
        }
      >
        {hasApplications ? uploadText.noPermission : uploadText.noApplications}
      </EmptyState>
    </>
  )
}

type SelectProps = { applications: readonly Application[]; selected: Application }

function ApplicationSelect({ applications, selected }: SelectProps) {
  const navigate = route.useNavigate()
  return (
    <Select
      className={classes.application}
      aria-label="Application"
      data={applications.map(({ id, name }) => ({ value: id, label: name }))}
      value={selected.id}
      allowDeselect={false}
      searchable={applications.length > 8}
      leftSection={<ApplicationIcon name={selected.name} url={selected.icon_url} size={20} />}
      onChange={(id) => {
        if (id === null) return
        rememberApplication(id)
        void navigate({ search: { application: id }, replace: true })
      }}
    />
  )
}

function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const latestDone = uploads.findLast(({ build }) => build !== null)
  return (
    <section className={classes.list} aria-labelledby="uploads">
      <div className={classes.listHeader}>
        <Title order={2} id="uploads">
          Uploads
        </Title>
        {uploads.some(isFinished) && (
          <Button variant="subtle" size="compact-sm" onClick={uploadQueue.clearFinished}>
            Clear finished
          </Button>
        )}
      </div>
      {[...Map.groupBy(uploads.toReversed(), ({ batch }) => batch)].map(([batch, group]) => (
        <Fragment key={batch}>
          <SharedFields uploads={group.filter(isEditable)} />
          {group.map((upload) => (
            <UploadRow key={upload.id} upload={upload} showsCode={upload === latestDone} />
          ))}
        </Fragment>
      ))}
    </section>
  )
}

/** The fields of several files that were added together. */
const SharedFields = ({ uploads }: { uploads: readonly Upload[] }) =>
  uploads.length > 1 && <SharedFieldInputs uploads={uploads} />

/** Returns the name of the file, or of the folder from which the archive was created. */
const localName = ({ filename, folderFiles }: Upload): string =>
  folderFiles === null ? filename : `./${filename.replace(/\.zip$/, '')}`

type CommandProps = {
  applicationId: string
  /** The upload that the command repeats. */
  latest: Upload | undefined
  platforms: readonly string[]
  stream: string
}

function TerminalCommand({ applicationId, latest, platforms, stream }: CommandProps) {
  return (
    <section className={classes.terminal}>
      <Text fz="sm" c="dimmed" mb={6}>
        Same from a terminal
      </Text>
      <CommandLine
        code={uploadCommand({
          applicationId,
          serviceUrl,
          file: latest === undefined ? exampleFile(platforms) : localName(latest),
          stream,
          labels: latest?.fields.labels ?? [],
        })}
        label="upload command"
      />
    </section>
  )
}
