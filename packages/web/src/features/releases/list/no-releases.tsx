import { Button } from '@mantine/core'
import { serviceUrl } from '../../../api/browser.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconFilterOff, IconPackageExport } from '../../../ui/icons/icons.ts'
import { ButtonLink } from '../../../ui/navigation/button-link.tsx'

type Props = { applicationId: string; isFiltered: boolean; onClear: () => void }

/** Explains what a release is, or that the filters match none. */
export function NoReleases({ applicationId, isFiltered, onClear }: Props) {
  const { can } = useSession()
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconFilterOff size={22} />}
        title="No releases match"
        action={
          <Button variant="default" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        {releaseText.list.noMatch}
      </EmptyState>
    )
  const command = `quayside releases create 1.0.0 --title "First release" --build latest \\\n  --application ${applicationId} --server ${serviceUrl}`
  return (
    <EmptyState
      icon={<IconPackageExport size={22} />}
      title="No releases yet"
      action={
        can('releases:create', applicationId) ? (
          <>
            <ButtonLink to="/applications/$applicationId/releases/new" params={{ applicationId }}>
              Create a release
            </ButtonLink>
            <CommandLine code={command} label="release command" />
          </>
        ) : undefined
      }
    >
      {releaseText.list.empty}
    </EmptyState>
  )
}
