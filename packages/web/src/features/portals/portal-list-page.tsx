import { Button, Group } from '@mantine/core'
import type { Portal } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { IconLock, IconPlus, IconWorld } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import classes from './domain-state.module.css'
import { DomainState } from './domain-state.tsx'
import { NewPortalDialog } from './new-portal-dialog.tsx'
import { portalsQuery } from './portal.queries.ts'

/** Lists the portals of the workspace. */
export function PortalListPage() {
  const { can } = useSession()
  const canEdit = can('portals:write')
  const query = useQuery(portalsQuery)
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      New portal
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Portals"
        facts="Pages with selected releases and streams, for people without an account"
        actions={canEdit && query.data?.length !== 0 ? create : undefined}
      />
      <Loaded query={query}>
        {(portals) =>
          portals.length === 0 ? (
            <NoPortals createButton={canEdit ? create : undefined} />
          ) : (
            <ItemList label="Portals">
              {portals.map((portal) => (
                <PortalItem key={portal.id} portal={portal} />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      {isCreating && <NewPortalDialog onClose={() => setIsCreating(false)} />}
    </>
  )
}

/** Explains portals. People who may not create them have no button. */
function NoPortals({ createButton }: { createButton: ReactNode }) {
  return (
    <EmptyState
      icon={<IconWorld size={22} />}
      title="No portals yet"
      action={
        createButton === undefined ? undefined : (
          <>
            <Group justify="center">{createButton}</Group>
            <CommandLine code='quayside api POST /portals -f name="Downloads" -f type=public' />
          </>
        )
      }
    >
      {portalText.explanation}
    </EmptyState>
  )
}

function PortalItem({ portal }: { portal: Portal }) {
  return (
    <Item
      leading={<ApplicationIcon name={portal.name} url={portal.icon_url} size={40} />}
      title={
        <Link to="/portals/$portalId/edit" params={{ portalId: portal.id }} className={classes.link}>
          {portal.name}
        </Link>
      }
      detail={
        <>
          <PortalType type={portal.type} />
          <span>{plural(portal.applications.length, 'application')}</span>
          {portal.description !== null && <span>{portal.description}</span>}
        </>
      }
      end={<DomainState portal={portal} />}
    />
  )
}

/** Whether everyone can open the portal. */
export function PortalType({ type }: { type: 'public' | 'private' }) {
  const Icon = type === 'public' ? IconWorld : IconLock
  return (
    <Group gap={4} wrap="nowrap" component="span">
      <Icon size={14} aria-hidden />
      {type === 'public' ? 'Public' : 'Private'}
    </Group>
  )
}
