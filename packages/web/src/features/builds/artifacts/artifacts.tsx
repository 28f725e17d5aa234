import { Button, FileButton, Group, Progress } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconFileDescription, IconPlus } from '../../../ui/icons/icons.ts'
import { Section } from '../../../ui/section.tsx'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { buildQuery } from '../build.queries.ts'
import { ArtifactItem } from './artifact-item.tsx'
import classes from './artifacts.module.css'
import { uploadArtifact } from './upload-artifact.ts'

/** The reports and other files that are kept with a build. */
export function Artifacts({ build }: { build: FullBuild }) {
  const { can } = useSession()
  const canUpload = can('builds:create', build.application_id)
  const artifacts = build.metadata_artifacts
  if (artifacts.length === 0)
    return (
      <EmptyState
        icon={<IconFileDescription size={22} />}
        title={buildText.artifacts.emptyTitle}
        action={
          canUpload ? (
            <>
              <AddArtifact build={build} />
              <CommandLine code={uploadCommand(build)} label="upload command" />
            </>
          ) : undefined
        }
      >
        {buildText.artifacts.empty}
      </EmptyState>
    )
  return (
    <Section title="Artifacts" actions={canUpload && <AddArtifact build={build} />}>
      <ul className={classes.list}>
        {artifacts.map((artifact) => (
          <ArtifactItem key={artifact.id} artifact={artifact} build={build} />
        ))}
      </ul>
    </Section>
  )
}

function AddArtifact({ build }: { build: FullBuild }) {
  const [share, setShare] = useState<number>()
  const [stop, setStop] = useState<AbortController>()
  const queryClient = useQueryClient()
  async function add(files: readonly File[]): Promise<void> {
    const controller = new AbortController()
    setStop(controller)
    setShare(0)
    try {
      for (const file of files) {
        await uploadArtifact(build.id, file, { signal: controller.signal, onProgress: setShare })
        showDone(buildText.artifacts.uploaded(file.name))
      }
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error)
    } finally {
      setShare(undefined)
      await queryClient.invalidateQueries({ queryKey: buildQuery(build.application_id, build.id).queryKey })
    }
  }
  if (share !== undefined)
    return (
      <Group gap="xs" wrap="nowrap">
        <Progress value={share * 100} w={140} aria-label="Upload progress" />
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => stop?.abort()}>
          Cancel
        </Button>
      </Group>
    )
  return (
    <FileButton multiple onChange={(files) => void add(files)}>
      {(props) => (
        <Button {...props} size="xs" variant="default" leftSection={<IconPlus size={15} />}>
          Add artifact
        </Button>
      )}
    </FileButton>
  )
}

const uploadCommand = (build: FullBuild): string =>
  `quayside upload ./${build.primary_file.filename} --metadata ./test-report.xml \\\n  --application ${build.application_id} --server ${serviceUrl}`
