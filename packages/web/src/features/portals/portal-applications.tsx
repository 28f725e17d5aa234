import { Button, Menu } from '@mantine/core'
import type { Portal, PortalRelease } from '@quayside/sdk'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { portalText, shownText } from '../../text/distribution/portals.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconPencil, IconPlus, IconTrash } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { PortalApplicationDialog } from './portal-application-dialog.tsx'
import classes from './portal-release-list.module.css'
import { PortalReleaseList } from './portal-release-list.tsx'
import { portalReleasesQuery, reloadPortals, type PortalApplication } from './portal.queries.ts'

type Open = { dialog: 'add' } | { dialog: 'edit' | 'remove'; application: PortalApplication }

/** The applications of a portal, with what the portal shows of each. */
export function PortalApplications({ portal, canEdit }: { portal: Portal; canEdit: boolean }) {
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { data: releases = [] } = useQuery(portalReleasesQuery(portal.id))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const others = applications.filter(({ id }) => !portal.applications.some((each) => each.id === id))
  const isEmpty = portal.applications.length === 0
  const add = canEdit && others.length > 0 && (
    <Button
      variant={isEmpty ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} />}
      onClick={() => setOpen({ dialog: 'add' })}
    >
      Add an application
    </Button>
  )
  return (
    <SettingsSection title="Applications" action={isEmpty ? undefined : add}>
      {isEmpty ? (
        <EmptyState title="No applications yet" action={add === false ? undefined : add}>
          {portalText.noApplications}
        </EmptyState>
      ) : (
        <ItemList label="Applications">
          {portal.applications.map((application) => (
            <ApplicationItem
              key={application.id}
              portal={portal}
              application={application}
              iconUrl={applications.find(({ id }) => id === application.id)?.icon_url ?? null}
              releases={releases.filter((release) => release.application_id === application.id)}
              canEdit={canEdit}
              onOpen={(dialog) => setOpen({ dialog, application })}
            />
          ))}
        </ItemList>
      )}
      {open?.dialog === 'add' && (
        <PortalApplicationDialog portal={portal} candidates={others} onClose={close} />
      )}
      {open?.dialog === 'edit' && (
        <PortalApplicationDialog portal={portal} application={open.application} onClose={close} />
      )}
      {open?.dialog === 'remove' && (
        <RemoveDialog portal={portal} application={open.application} onClose={close} />
      )}
    </SettingsSection>
  )
}

type ItemProps = {
  portal: Portal
  application: PortalApplication
  iconUrl: string | null
  releases: readonly PortalRelease[]
  canEdit: boolean
  onOpen: (dialog: 'edit' | 'remove') => void
}

function ApplicationItem({ portal, application, iconUrl, releases, canEdit, onOpen }: ItemProps) {
  return (
    <Item
      leading={<ApplicationIcon name={application.name} url={iconUrl} size={32} />}
      title={
        <Link
          to="/applications/$applicationId"
          params={{ applicationId: application.id }}
          className={classes.link}
        >
          {application.name}
        </Link>
      }
      detail={shownText(application, releases.length)}
      menu={
        canEdit && (
          <RowMenu label={`Actions for ${application.name}`}>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
              Choose what is shown
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onOpen('remove')}>
              Remove from the portal
            </Menu.Item>
          </RowMenu>
        )
      }
    >
      {application.releases_mode === 'selective' && (
        <PortalReleaseList
          portalId={portal.id}
          application={application}
          releases={releases}
          canEdit={canEdit}
        />
      )}
    </Item>
  )
}

type RemoveProps = { portal: Portal; application: PortalApplication; onClose: () => void }

function RemoveDialog({ portal, application, onClose }: RemoveProps) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={portalText.removeTitle(application.name)}
      confirmLabel="Remove"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.deletePortalApplication({
          portal_id: portal.id,
          application_id: application.id,
        })
        await reloadPortals(queryClient)
      }}
    >
      {portalText.removal}
    </ConfirmDialog>
  )
}
