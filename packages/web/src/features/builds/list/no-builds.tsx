import { Button } from '@mantine/core'
import type { SingleApplication } from '@quayside/sdk'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconFilterOff, IconPackage, IconTrash } from '../../../ui/icons/icons.ts'
import { ButtonLink } from '../../../ui/navigation/button-link.tsx'
import { exampleFile, uploadCommand } from '../../uploads/upload-command.ts'

type Props = { application: SingleApplication; isFiltered: boolean; isTrash: boolean; onClear: () => void }

/** Explains why the list is empty, and offers the first upload. */
export function NoBuilds({ application, isFiltered, isTrash, onClear }: Props) {
  const { can } = useSession()
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconFilterOff size={22} />}
        title="No builds match"
        action={
          <Button variant="default" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        {buildText.noMatch}
      </EmptyState>
    )
  if (isTrash)
    return (
      <EmptyState icon={<IconTrash size={22} />} title="The trash is empty">
        {buildText.emptyTrash}
      </EmptyState>
    )
  const canUpload = can('builds:create', application.id)
  const file = exampleFile(application.platforms.map(({ identifier }) => identifier))
  return (
    <EmptyState
      icon={<IconPackage size={22} />}
      title="No builds yet"
      action={
        canUpload ? (
          <>
            <ButtonLink to="/upload" search={{ application: application.id }}>
              Upload the first build
            </ButtonLink>
            <CommandLine
              code={uploadCommand({ applicationId: application.id, serviceUrl, file })}
              label="upload command"
            />
          </>
        ) : undefined
      }
    >
      {canUpload ? (
        <>
          {buildText.uploadFirst} <a href={`${serviceUrl}/docs/ci`}>upload from CI</a>.
        </>
      ) : (
        buildText.none
      )}
    </EmptyState>
  )
}
