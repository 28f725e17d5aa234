import { Button, Group } from '@mantine/core'
import type { Channel } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { channelText, formatTexts } from '../../text/distribution/channels.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconPlus, IconRefresh } from '../../ui/icons/icons.ts'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { rowLink } from '../../ui/table/table-row.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelAccess, sourceOf } from './channel-facts.tsx'
import { channelsQuery } from './channel.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/distribute')

/** Lists the update channels of an application. */
export function ChannelListPage() {
  const { applicationId } = route.useParams()
  const { can } = useSession()
  const query = useQuery(channelsQuery(applicationId))
  const [isCreating, setIsCreating] = useState(false)
  const canCreate = can('application:write', applicationId)
  const create = canCreate && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      New channel
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Distribute"
        facts={channelText.facts}
        actions={query.data?.length === 0 ? undefined : create}
      />
      <Loaded query={query}>
        {(channels) =>
          channels.length === 0 ? (
            <NoChannels applicationId={applicationId} createButton={create} />
          ) : (
            <>
              {!canCreate && <p className="soft">{channelText.readOnly}</p>}
              <DataTable label="Channels" columns={columns} rows={channels} keyOf={({ id }) => id} />
            </>
          )
        }
      </Loaded>
      {isCreating && <ChannelDialog applicationId={applicationId} onClose={() => setIsCreating(false)} />}
    </>
  )
}

type NoChannelsProps = {
  applicationId: string
  /** False if the person may not create channels. */
  createButton: ReactNode
}

function NoChannels({ applicationId, createButton }: NoChannelsProps) {
  const command = `quayside channels create Stable --format electron \\\n  --application ${applicationId}`
  return (
    <EmptyState
      icon={<IconRefresh size={22} />}
      title="No channels yet"
      action={
        createButton === false ? (
          <span className="soft">{channelText.readOnly}</span>
        ) : (
          <>
            <Group justify="center">{createButton}</Group>
            <CommandLine code={command} />
          </>
        )
      }
    >
      {channelText.explanation} <a href={`${serviceUrl}/docs/updates`}>{channelText.docs}</a>
    </EmptyState>
  )
}

const columns: readonly Column<Channel>[] = [
  {
    id: 'name',
    label: 'Channel',
    width: 'minmax(0, 1.2fr)',
    hasLines: true,
    cell: (channel) => (
      <>
        <Link
          to="/applications/$applicationId/distribute/$channelId"
          params={{ applicationId: channel.application_id, channelId: channel.id }}
          {...rowLink}
        >
          {channel.name}
        </Link>
        <div className="soft">{sourceOf(channel)}</div>
      </>
    ),
  },
  {
    id: 'formats',
    label: 'Formats',
    width: 'minmax(0, 2fr)',
    cell: ({ formats }) => (
      <span className="soft">{formats.map((format) => formatTexts[format].name).join(', ')}</span>
    ),
  },
  {
    id: 'access',
    label: 'Access',
    width: '8rem',
    cell: ({ access }) => <ChannelAccess access={access} />,
  },
]
