import { Button } from '@mantine/core'
import type { Application } from '@quayside/sdk'
import { IconFilterOff, IconPackage, IconTrash } from '@tabler/icons-react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

type Props = { application: Application; isFiltered: boolean; isTrash: boolean; onClear: () => void }

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
        Remove a filter above, or search for another version, branch, commit or file name.
      </EmptyState>
    )
  if (isTrash)
    return (
      <EmptyState icon={<IconTrash size={22} />} title="The trash is empty">
        Deleted builds stay here for a few days and can be restored until then.
      </EmptyState>
    )
  const command = `quayside upload ./app-1.0.0.zip --application ${application.id} --server ${serviceUrl}`
  return (
    <EmptyState
      icon={<IconPackage size={22} />}
      title="No builds yet"
      action={
        can('builds:create', application.id) ? (
          <>
            <ButtonLink to="/upload" search={{ application: application.id }}>
              Upload the first build
            </ButtonLink>
            <CommandLine code={command} label="upload command" />
          </>
        ) : undefined
      }
    >
      Upload a file of any platform: drop it on the upload page, run the command below, or upload from CI (
      <a href={`${serviceUrl}/docs/ci`}>how to upload from CI</a>).
    </EmptyState>
  )
}
