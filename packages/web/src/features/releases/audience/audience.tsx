import { Button, Skeleton, Switch, Text } from '@mantine/core'
import type { AudiencePortal, FullRelease } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { IconPlus } from '../../../ui/icons/icons.ts'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { Section } from '../../../ui/section.tsx'
import { showFailure, showUndo } from '../../../ui/toast.tsx'
import { portalReleasesQuery } from '../../portals/portal.queries.ts'
import { audienceQuery } from '../release.queries.ts'
import { AddGroupDialog } from './add-group-dialog.tsx'
import classes from './audience.module.css'
import { GroupItem } from './group-item.tsx'

const { audience: text } = releaseText

/** The groups whose members are notified of a release, and the portals that show it. */
export function Audience({ release }: { release: FullRelease }) {
  const [isAdding, setIsAdding] = useState(false)
  const { can } = useSession()
  const { data, error, refetch } = useQuery(audienceQuery(release.application_id, release.id))
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={180} radius="lg" mt="lg" />
  const canAdd = can('distribution_groups:write')
  return (
    <div className={classes.page}>
      <Section
        title="Distribution groups"
        actions={
          canAdd && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={15} />}
              onClick={() => setIsAdding(true)}
            >
              Add to a group
            </Button>
          )
        }
      >
        <Text fz="sm" c="dimmed" mb="sm">
          {text.groupsHelp}
        </Text>
        {data.groups.length === 0 ? (
          <div className={classes.empty}>{text.noGroups}</div>
        ) : (
          <ItemList label="Distribution groups">
            {data.groups.map((group) => (
              <GroupItem key={group.id} release={release} group={group} canWrite={canAdd} />
            ))}
          </ItemList>
        )}
      </Section>
      <PortalSection release={release} portals={data.portals} />
      {isAdding && (
        <AddGroupDialog
          release={release}
          existing={data.groups.map(({ id }) => id)}
          onClose={() => setIsAdding(false)}
        />
      )}
    </div>
  )
}

function PortalSection({ release, portals }: { release: FullRelease; portals: readonly AudiencePortal[] }) {
  const { can } = useSession()
  return (
    <Section title="Portals">
      <Text fz="sm" c="dimmed" mb="sm">
        {text.portalsHelp}
      </Text>
      {portals.length === 0 ? (
        <div className={classes.empty}>
          {releaseText.audience.noPortals} {can('portals:write') && <Link to="/portals">Open portals</Link>}
        </div>
      ) : (
        <ItemList label="Portals">
          {portals.map((portal) => (
            <PortalItem key={portal.id} release={release} portal={portal} canWrite={can('portals:write')} />
          ))}
        </ItemList>
      )}
    </Section>
  )
}

type PortalProps = { release: FullRelease; portal: AudiencePortal; canWrite: boolean }

/** A portal with a switch that shows the release in it, if the portal shows only selected releases. */
function PortalItem({ release, portal, canWrite }: PortalProps) {
  const { can } = useSession()
  const queryClient = useQueryClient()
  const { queryKey } = audienceQuery(release.application_id, release.id)
  const { id, name, type, releases_mode: mode, is_included: isIncluded } = portal

  async function include(next: boolean): Promise<void> {
    queryClient.setQueryData(
      queryKey,
      (audience) =>
        audience && {
          ...audience,
          portals: audience.portals.map((each) => (each.id === id ? { ...each, is_included: next } : each)),
        },
    )
    try {
      if (next) await api.publishPortalRelease({ portal_id: id, body: { release_id: release.id } })
      else await api.withdrawPortalRelease({ portal_id: id, release_id: release.id })
      showUndo(next ? releaseText.audience.included(name) : releaseText.audience.excluded(name), () =>
        include(!next),
      )
    } catch (error) {
      showFailure(error)
    } finally {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        queryClient.invalidateQueries({ queryKey: portalReleasesQuery(id).queryKey }),
      ])
    }
  }

  return (
    <Item
      title={
        can('portals:read') ? (
          <Link to="/portals/$portalId/edit" params={{ portalId: id }} className={classes.link}>
            {name}
          </Link>
        ) : (
          name
        )
      }
      detail={`${type === 'public' ? 'Public' : 'Private'}${text.modes[mode] === '' ? '' : ` · ${text.modes[mode]}`}`}
      menu={
        mode === 'selective' && (
          <Switch
            checked={isIncluded}
            disabled={!canWrite}
            onChange={(event) => void include(event.currentTarget.checked)}
            aria-label={`Include in ${name}`}
          />
        )
      }
    />
  )
}
