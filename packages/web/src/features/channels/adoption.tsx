import { SegmentedControl, Skeleton } from '@mantine/core'
import type { Channel, ChannelAdoption, ClientAdoption } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { adoptionText } from '../../text/distribution/adoption.ts'
import { formatTexts } from '../../text/distribution/channels.ts'
import { isShortHistory } from '../../ui/charts/chart-history.ts'
import { RankedBars } from '../../ui/charts/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { formatCount, plural } from '../../ui/format/bytes.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { Loaded } from '../../ui/loading/loaded.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { adoptionSeries } from '../statistics/adoption-series.ts'
import { periodsOf } from '../statistics/periods.ts'
import classes from './adoption.module.css'
import { adoptionQuery } from './channel.queries.ts'
import { adoptionRanges, channelSearch, defaultRange } from './channel.search.ts'

const StackedBars = lazyPart(async () => (await import('../../ui/charts/stacked-bars.tsx')).StackedBars)

const route = getRouteApi('/console/applications/$applicationId/distribute/$channelId')

const chartHeight = 220

/** Which versions the clients of a channel have, over time and by platform and format. */
export function Adoption({ channel }: { channel: Channel }) {
  const { days: range = defaultRange } = route.useSearch()
  const navigate = route.useNavigate()
  const { id, application_id: applicationId } = channel
  const query = useQuery({
    ...adoptionQuery({ application_id: applicationId, channel_id: id }, range),
    placeholderData: keepPreviousData,
  })
  return (
    <SettingsSection
      title="Adoption"
      description={adoptionText.section}
      action={
        <SegmentedControl
          size="xs"
          data={adoptionRanges.map((days) => ({ value: String(days), label: `${days} days` }))}
          value={String(range)}
          onChange={(value) => {
            const { days } = channelSearch({ days: value })
            void navigate({
              search: { days: days === defaultRange ? undefined : days },
              replace: true,
              resetScroll: false,
            })
          }}
          aria-label="Period"
        />
      }
    >
      <Loaded query={query} rows={4}>
        {(adoption) =>
          adoption.checks === 0 ? (
            <p className={classes.nothing}>
              {adoptionText.noChecks(adoption.days.length)}{' '}
              <a href={`${serviceUrl}/docs/updates#see-which-versions-are-in-use`}>{adoptionText.docs}</a>
            </p>
          ) : (
            <div className={classes.content} data-stale={query.isPlaceholderData || undefined}>
              <VersionChart adoption={adoption} />
              <ClientTable clients={adoption.clients} />
            </div>
          )
        }
      </Loaded>
    </SettingsSection>
  )
}

function VersionChart({ adoption }: { adoption: ChannelAdoption }) {
  const { unit, labels, sumsOf } = periodsOf(adoption.days)
  const series = adoptionSeries(adoption)
  const isShort = isShortHistory(series)
  return (
    <div className={isShort ? classes.chart : `${classes.chart} ${classes.split}`}>
      {!isShort && (
        <Suspense fallback={<Skeleton height={chartHeight} />}>
          <StackedBars
            label={`Checks per ${unit} by version`}
            periods={labels}
            height={chartHeight}
            withLegend={false}
            series={series.map(({ name, values }) => ({ name, values: sumsOf(values) }))}
          />
        </Suspense>
      )}
      <div>
        <RankedBars
          label="Checks by version"
          entries={series.map(({ name, checks }, index) => ({
            name,
            value: checks,
            color: seriesCssColor(index),
          }))}
        />
        {isShort && <p className={classes.later}>{adoptionText.later}</p>}
      </div>
    </div>
  )
}

function ClientTable({ clients }: { clients: readonly ClientAdoption[] }) {
  return (
    <DataTable
      label="Checks by platform and format"
      columns={columns}
      rows={clients}
      keyOf={({ format, platform, architecture }) => `${format} ${platform} ${architecture}`}
      card={(client) => (
        <div className={classes.card}>
          <div>
            <div>{platformOf(client)}</div>
            <div className="soft">{formatOf(client)}</div>
          </div>
          <div className={classes.numbers}>
            <div className="tabular">{plural(client.checks, 'check')}</div>
            <div className="soft tabular">{plural(client.downloads, 'download')}</div>
            {client.errors > 0 && <div className="soft tabular">{plural(client.errors, 'error')}</div>}
          </div>
        </div>
      )}
    />
  )
}

const formatOf = ({ format }: ClientAdoption): string =>
  format === null ? adoptionText.otherFormats : formatTexts[format].name

function platformOf({ platform, architecture }: ClientAdoption): string {
  if (platform === null) return architecture ?? adoptionText.unspecifiedPlatform
  const name = adoptionText.platforms[platform]
  return architecture === null ? name : `${name}, ${architecture}`
}

type NumberField = 'checks' | 'documents' | 'no_updates' | 'unchanged' | 'downloads' | 'errors'

const numberColumn = (
  id: NumberField,
  label: string,
  hiddenBelow?: 'wide' | 'medium',
): Column<ClientAdoption> => ({
  id,
  label,
  width: '6.5rem',
  isAtEnd: true,
  ...(hiddenBelow === undefined ? {} : { hiddenBelow }),
  cell: (client) => (
    <span className={client[id] === 0 ? 'soft tabular' : 'tabular'}>{formatCount(client[id])}</span>
  ),
})

const columns: readonly Column<ClientAdoption>[] = [
  { id: 'platform', label: 'Platform', width: 'minmax(0, 1.2fr)', cell: platformOf },
  {
    id: 'format',
    label: 'Format',
    width: 'minmax(0, 1.2fr)',
    cell: (client) => <span className="soft">{formatOf(client)}</span>,
  },
  numberColumn('checks', 'Checks'),
  numberColumn('documents', 'Documents', 'wide'),
  numberColumn('no_updates', 'Up to date', 'wide'),
  numberColumn('unchanged', 'Unchanged', 'wide'),
  numberColumn('downloads', 'Downloads'),
  numberColumn('errors', 'Errors', 'medium'),
]
