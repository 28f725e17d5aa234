import { Group } from '@mantine/core'
import { downloadsText } from '../../text/distribution/downloads.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconDownload } from '../../ui/icons/icons.ts'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { DownloadTable } from './download-table.tsx'
import { ExportLink } from './downloads-page.tsx'

/** Who downloaded the builds of a release. */
export function ReleaseDownloads({ applicationId, releaseId }: { applicationId: string; releaseId: string }) {
  const filter = { release_id: releaseId }
  return (
    <>
      <Group justify="flex-end" gap="xs" mb="sm" mt="md">
        <ButtonLink
          to="/applications/$applicationId/downloads"
          params={{ applicationId }}
          search={filter}
          variant="default"
          size="xs"
        >
          Filter and group
        </ButtonLink>
        <ExportLink applicationId={applicationId} filter={filter} />
      </Group>
      <DownloadTable
        applicationId={applicationId}
        filter={filter}
        empty={
          <EmptyState icon={<IconDownload size={22} />} title="No downloads yet">
            {downloadsText.noneOfRelease}
          </EmptyState>
        }
      />
    </>
  )
}
