import { Button, Menu } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { IconExternalLink, IconTrash } from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { BackLink } from '../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { QrCodeButton } from '../../ui/phone/qr-code-button.tsx'
import { showDone } from '../../ui/toast.tsx'
import { PortalApplications } from './portal-applications.tsx'
import { PortalDetails } from './portal-details.tsx'
import { PortalDomain } from './portal-domain.tsx'
import { PortalType } from './portal-list-page.tsx'
import classes from './portal-page.module.css'
import { PortalPreview } from './portal-preview.tsx'
import { portalQuery, portalsQuery } from './portal.queries.ts'

const route = getRouteApi('/console/portals/$portalId/edit')

/** Edits a portal beside a preview of what visitors see. */
export function PortalPage() {
  const { portalId } = route.useParams()
  const { data: portal } = useSuspenseQuery(portalQuery(portalId))
  const { can } = useSession()
  const canEdit = can('portals:write')
  return (
    <>
      <BackLink to="/portals">Portals</BackLink>
      <PageHeader
        title={portal.name}
        icon={<ApplicationIcon name={portal.name} url={portal.icon_url} size={44} />}
        facts={<PortalType type={portal.type} />}
        actions={
          <>
            <Button
              component="a"
              href={portal.portal_url}
              target="_blank"
              rel="noopener"
              variant="default"
              leftSection={<IconExternalLink size={16} />}
            >
              {portalText.open}
            </Button>
            {canEdit && <PortalMenu portalId={portal.id} name={portal.name} />}
          </>
        }
      />
      <div className={classes.address}>
        <Copyable value={portal.portal_url} label="portal URL" mono />
        <QrCodeButton url={portal.portal_url} label={portal.name} position="bottom-start" />
      </div>
      <div className={classes.columns}>
        <div>
          <PortalApplications portal={portal} canEdit={canEdit} />
          <PortalDetails key={`details ${portal.id}`} portal={portal} canEdit={canEdit} />
          <PortalDomain key={`domain ${portal.id}`} portal={portal} canEdit={canEdit} />
        </div>
        <PortalPreview portal={portal} />
      </div>
    </>
  )
}

function PortalMenu({ portalId, name }: { portalId: string; name: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isDeleting, setIsDeleting] = useState(false)
  async function remove(): Promise<void> {
    await api.deletePortal({ portal_id: portalId })
    queryClient.setQueryData(portalsQuery.queryKey, (portals) => portals?.filter(({ id }) => id !== portalId))
    await navigate({ to: '/portals' })
    queryClient.removeQueries({ queryKey: portalQuery(portalId).queryKey })
    showDone(portalText.deleted)
  }
  return (
    <>
      <RowMenu label="More actions" isOfPage>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setIsDeleting(true)}>
          Delete portal
        </Menu.Item>
      </RowMenu>
      {isDeleting && (
        <ConfirmDialog
          title={portalText.deleteTitle(name)}
          confirmLabel="Delete portal"
          isDangerous
          onConfirm={remove}
          onClose={() => setIsDeleting(false)}
        >
          {portalText.deletion}
        </ConfirmDialog>
      )}
    </>
  )
}
