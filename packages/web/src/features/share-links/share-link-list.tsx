import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { shareLinkText } from '../../text/distribution/share-link.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconLink, IconPlus } from '../../ui/icons/icons.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { Section } from '../../ui/section.tsx'
import { NewShareLinkDialog } from './new-share-link-dialog.tsx'
import { ShareLinkItem } from './share-link-item.tsx'
import { shareLinksQuery, type Shareable } from './share-link.queries.ts'

/** Lists the share links of a build or release, and creates, revokes and deletes them. */
export function ShareLinkList({ shareable, name }: { shareable: Shareable; name?: string }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { data: links, error, refetch } = useQuery(shareLinksQuery(shareable))
  const { can } = useSession()
  const canCreate = can('share_links:create', shareable.applicationId)
  const newButton = canCreate && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} />}
      onClick={() => setIsDialogOpen(true)}
    >
      New share link
    </Button>
  )
  return (
    <>
      {error !== null && <FailureBanner error={error} onRetry={() => void refetch()} />}
      {links?.length === 0 && (
        <EmptyState
          icon={<IconLink size={22} />}
          title={shareLinkText.emptyTitle}
          action={
            canCreate ? (
              <>
                {newButton}
                <CommandLine code={commandFor(shareable)} label="share command" />
              </>
            ) : undefined
          }
        >
          {shareLinkText.empty[shareable.type]}
        </EmptyState>
      )}
      {links !== undefined && links.length > 0 && (
        <Section title="Share links" actions={newButton}>
          <ItemList label="Share links">
            {links.map((link) => (
              <ShareLinkItem key={link.id} link={link} shareable={shareable} />
            ))}
          </ItemList>
        </Section>
      )}
      {isDialogOpen && (
        <NewShareLinkDialog shareable={shareable} name={name} onClose={() => setIsDialogOpen(false)} />
      )}
    </>
  )
}

function commandFor({ type, applicationId, id }: Shareable): string {
  const subject = type === 'build' ? id : `--release ${id}`
  return `quayside share ${subject} --expires 7d \\\n  --application ${applicationId} --server ${serviceUrl}`
}
