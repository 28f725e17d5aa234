import type { AudienceChannel, FullRelease, ReleaseAudience } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../api/session.ts'
import { reachText } from '../../../text/releases/release-reach.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { permalinkUrl } from '../../permalinks/permalink-url.ts'
import { shareLinksQuery, stateOf } from '../../share-links/share-link.queries.ts'
import classes from './reach.module.css'

const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId')
const { kinds, none } = reachText

type Props = { release: FullRelease; audience: ReleaseAudience }

/** Lists the groups, portals, links and feeds through which people find a release. */
export function VisiblePlaces({ release, audience }: Props) {
  const { can } = useSession()
  const { application_id: applicationId } = release
  return (
    <dl className={classes.places}>
      <Groups groups={audience.groups} />
      <Portals portals={audience.portals.filter(({ is_included: isIncluded }) => isIncluded)} />
      {can('share_links:read', applicationId) && <ShareLinks release={release} />}
      <Permalinks release={release} />
      <Kind name={kinds.streams} none={none.streams}>
        {audience.streams.flatMap(({ id, name, platforms }) =>
          platforms.map((platform) => (
            <Place
              key={`${id} ${platform.identifier}`}
              name={
                <Link
                  to="/applications/$applicationId/streams"
                  params={{ applicationId }}
                  search={{ stream: id }}
                >
                  {name}
                </Link>
              }
              detail={reachText.latestOf(platform.name)}
              url={permalinkUrl(applicationId, `${encodeURIComponent(name)}/latest`, platform)}
            />
          )),
        )}
      </Kind>
      <Kind name={kinds.channels} none={none.channels}>
        {audience.channels.map((channel) => (
          <Place
            key={channel.id}
            name={
              <Link
                to="/applications/$applicationId/distribute/$channelId"
                params={{ applicationId, channelId: channel.id }}
              >
                {channel.name}
              </Link>
            }
            detail={`${channel.stream_name ?? reachText.publishesReleases} · ${stateOfChannel(channel, release)}`}
          />
        ))}
      </Kind>
    </dl>
  )
}

function stateOfChannel(channel: AudienceChannel, { status }: FullRelease): string {
  if (channel.stream_name === null && status !== 'published') return reachText.later
  return channel.is_newest ? reachText.newest : reachText.older
}

/** The places of one kind. Without places, says so. */
function Kind({
  name,
  none: nothing,
  action,
  children,
}: {
  name: string
  none: string
  action?: ReactNode
  children: readonly ReactNode[]
}) {
  return (
    <div className={classes.kind}>
      <dt>{name}</dt>
      <dd>
        {children.length === 0 ? (
          <div className={classes.place} data-none>
            <span>{nothing}</span> {action}
          </div>
        ) : (
          children
        )}
      </dd>
    </div>
  )
}

/** A place with its name, what is there, and its URL to copy. */
function Place({ name, detail, url }: { name?: ReactNode; detail: ReactNode; url?: string }) {
  return (
    <div className={classes.place}>
      {name !== undefined && <span className={classes.name}>{name}</span>}
      <span className={classes.detail}>{detail}</span>
      {url !== undefined && (
        <span className={classes.url}>
          <Copyable value={url} label="link" mono>
            {url.replace(/^https?:\/\//, '')}
          </Copyable>
        </span>
      )}
    </div>
  )
}

function Groups({ groups }: Pick<ReleaseAudience, 'groups'>) {
  const { can } = useSession()
  return (
    <Kind
      name={kinds.groups}
      none={none.groups}
      action={
        can('distribution_groups:write') && (
          <route.Link to="." search={{ tab: 'audience' }}>
            {reachText.addGroup}
          </route.Link>
        )
      }
    >
      {groups.map(({ id, name, is_active: isActive, tester_count: members }) => (
        <Place
          key={id}
          name={
            can('distribution_groups:read') ? (
              <Link to="/groups/$groupId" params={{ groupId: id }}>
                {name}
              </Link>
            ) : (
              name
            )
          }
          detail={isActive ? reachText.members(members) : reachText.inactive}
        />
      ))}
    </Kind>
  )
}

function Portals({ portals }: Pick<ReleaseAudience, 'portals'>) {
  const { can } = useSession()
  return (
    <Kind name={kinds.portals} none={none.portals}>
      {portals.map(({ id, name, type, portal_url: url }) => (
        <Place
          key={id}
          name={
            can('portals:read') ? (
              <Link to="/portals/$portalId/edit" params={{ portalId: id }}>
                {name}
              </Link>
            ) : (
              name
            )
          }
          detail={reachText.portalTypes[type]}
          url={url}
        />
      ))}
    </Kind>
  )
}

function ShareLinks({ release: { application_id: applicationId, id } }: { release: FullRelease }) {
  const { data = [] } = useQuery(shareLinksQuery({ type: 'release', applicationId, id }))
  const { can } = useSession()
  return (
    <Kind
      name={kinds.links}
      none={none.links}
      action={
        can('share_links:create', applicationId) && (
          <route.Link to="." search={{ tab: 'share-links' }}>
            {reachText.addLink}
          </route.Link>
        )
      }
    >
      {data
        .filter((link) => stateOf(link) === 'active')
        .map((link) => (
          <Place
            key={link.id}
            detail={[reachText.downloads(link.download_count), link.password_protected && reachText.password]
              .filter(Boolean)
              .join(' · ')}
            url={link.short_url}
          />
        ))}
    </Kind>
  )
}

/** The links to this version. On an iPhone or iPad, the one for iOS opens the page that installs it over the air. */
function Permalinks({ release }: { release: FullRelease }) {
  const platforms = release.status === 'published' ? release.platforms : []
  return (
    <Kind name={kinds.permalinks} none={none.permalinks}>
      {platforms.map((platform) => (
        <Place
          key={platform.identifier}
          name={platform.short_name}
          detail={platform.identifier === 'ios' ? reachText.install : reachText.thisVersion}
          url={permalinkUrl(
            release.application_id,
            `releases/${encodeURIComponent(release.version)}`,
            platform,
          )}
        />
      ))}
    </Kind>
  )
}
