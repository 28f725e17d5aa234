import { Button, Menu } from '@mantine/core'
import type { ApplicationStatistics, Channel, ChannelAdoption } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { adoptionText } from '../../text/distribution/adoption.ts'
import { insightsText } from '../../text/insights.ts'
import { RankedBars } from '../../ui/charts/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { IconCheck, IconChevronDown } from '../../ui/icons/icons.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { MenuButton } from '../../ui/menu/menu-button.tsx'
import { adoptionQuery, channelsQuery } from '../channels/channel.queries.ts'
import { adoptionSeries } from './adoption-series.ts'
import chartClasses from './insight-chart.module.css'
import { chartHeight, InsightChart } from './insight-chart.tsx'
import classes from './insights-page.module.css'
import { periodsOf, type PeriodUnit } from './periods.ts'
import { useInsightsSearch } from './use-insights-search.ts'

const StackedBars = lazyPart(async () => (await import('../../ui/charts/stacked-bars.tsx')).StackedBars)

const texts = insightsText.versions
/** For how long the service keeps checks of update feeds. */
const maxCheckDays = 90

type Props = { applicationId: string; statistics: ApplicationStatistics; unit: PeriodUnit }

/** Draws which versions are downloaded, or which versions the clients of a channel have. */
export function VersionChart({ applicationId, statistics, unit }: Props) {
  const { channel: chosen, change } = useInsightsSearch()
  const canReadChannels = useSession().can('application:read', applicationId)
  const { data: channels = [] } = useQuery({ ...channelsQuery(applicationId), enabled: canReadChannels })
  const channel = channels.find(({ id }) => id === chosen)
  const days = Math.min(maxCheckDays, statistics.days.length)
  const { data: adoption } = useQuery({
    ...adoptionQuery({ application_id: applicationId, channel_id: channel?.id ?? '' }, days),
    placeholderData: keepPreviousData,
    enabled: channel !== undefined,
  })
  const isOfChannel = channel !== undefined && adoption !== undefined
  const versions = isOfChannel ? checksByVersion(adoption) : downloadsByVersion(statistics)
  const { periods, labels, sumsOf } = periodsOf(isOfChannel ? adoption.days : statistics.days, unit)
  const series = versions.map(({ name, counts }) => ({ name, values: sumsOf(counts) }))
  const detail = isOfChannel ? texts.checksDetail(unit) : texts.downloadsDetail(unit)
  return (
    <InsightChart
      id="versions"
      title={texts.title}
      detail={detail}
      isWide
      values={{ periods, series, unit: 'count', hasTotal: true }}
      empty={isOfChannel ? texts.noChecks : texts.noDownloads}
      unit={unit}
      controls={
        channels.length > 0 && (
          <SourceMenu channels={channels} channel={channel} onChange={(id) => change({ channel: id })} />
        )
      }
      footer={
        isOfChannel && (
          <p className={chartClasses.footer}>
            {adoptionText.section} {days < statistics.days.length && texts.shortened(maxCheckDays)}
          </p>
        )
      }
    >
      <div className={classes.split}>
        <StackedBars
          periods={labels}
          height={chartHeight}
          label={`${texts.title}, ${detail}`}
          withLegend={false}
          series={series}
        />
        <RankedBars
          label={texts.title}
          entries={versions.map(({ name, total }, index) => ({
            name,
            value: total,
            color: seriesCssColor(index),
          }))}
        />
      </div>
    </InsightChart>
  )
}

type SourceProps = {
  channels: readonly Channel[]
  channel: Channel | undefined
  onChange: (channelId: string | undefined) => void
}

/** Chooses whether downloads or the update checks of a channel are shown. */
function SourceMenu({ channels, channel, onChange }: SourceProps) {
  const shown = channel === undefined ? texts.downloads : texts.checks(channel.name)
  const item = (id: string | undefined, label: string) => (
    <Menu.Item
      key={id ?? ''}
      onClick={() => onChange(id)}
      rightSection={id === channel?.id ? <IconCheck size={14} aria-label="selected" /> : null}
    >
      {label}
    </Menu.Item>
  )
  return (
    <div className={chartClasses.controls}>
      <MenuButton
        position="bottom-start"
        button={
          <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
            {shown}
          </Button>
        }
      >
        {() => (
          <>
            {item(undefined, texts.downloads)}
            {channels.map(({ id, name }) => item(id, texts.checks(name)))}
          </>
        )}
      </MenuButton>
    </div>
  )
}

type Version = { name: string; counts: readonly number[]; total: number }

const downloadsByVersion = ({ versions }: ApplicationStatistics): Version[] =>
  versions
    .filter(({ total }) => total > 0)
    .map(({ version, counts, total }) => ({ name: version ?? insightsText.otherVersions, counts, total }))

const checksByVersion = (adoption: ChannelAdoption): Version[] =>
  adoptionSeries(adoption).map(({ name, values, checks }) => ({ name, counts: values, total: checks }))
