import type { Channel, FormatHealth, FormatReadiness } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { serviceUrl } from '../../api/browser.ts'
import { adoptionText } from '../../text/distribution/adoption.ts'
import { channelText, formatTexts, rolloutSupportTexts } from '../../text/distribution/channels.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import classes from './channel-page.module.css'
import { adoptionQuery, readinessQuery } from './channel.queries.ts'
import { defaultRange } from './channel.search.ts'
import { Health } from './format-health.tsx'

const route = getRouteApi('/console/applications/$applicationId/distribute/$channelId')

/** The URLs of each format, and what the newest version lacks. */
export function ChannelFormats({ channel }: { channel: Channel }) {
  const { id, application_id: applicationId } = channel
  const params = { application_id: applicationId, channel_id: id }
  const { days = defaultRange } = route.useSearch()
  const query = useQuery(readinessQuery(params))
  const { data: adoption } = useQuery({ ...adoptionQuery(params, days), placeholderData: keepPreviousData })
  const ofOthers = adoption?.health.find(({ format }) => format === null)
  return (
    <SettingsSection title="Formats" description={channelText.formatsSection}>
      <Loaded query={query} rows={channel.formats.length}>
        {(formats) => (
          <>
            <ItemList label="Formats">
              {formats.map((readiness) => (
                <FormatItem
                  key={readiness.format}
                  channel={channel}
                  readiness={readiness}
                  health={adoption?.health.find(({ format }) => format === readiness.format)}
                />
              ))}
            </ItemList>
            {ofOthers !== undefined && ofOthers.requests_last_24_hours > 0 && (
              <p className={classes.others}>
                {adoptionText.otherErrors(plural(ofOthers.requests_last_24_hours, 'request'))}
              </p>
            )}
          </>
        )}
      </Loaded>
    </SettingsSection>
  )
}

type ItemProps = {
  channel: Channel
  readiness: FormatReadiness
  /** Undefined while it is loading. */
  health: FormatHealth | undefined
}

function FormatItem({ channel, readiness, health }: ItemProps) {
  const { format, urls, setup, version, is_ready: isReady, missing } = readiness
  const { name, hint, docs } = formatTexts[format]
  const { application_id: applicationId } = channel
  return (
    <Item
      title={
        <>
          {name}
          <StateBadge tone={isReady ? 'good' : 'warn'}>
            {isReady ? channelText.ready(version) : channelText.notReady}
          </StateBadge>
        </>
      }
      detail={
        <>
          <span>{hint}</span>
          <span>{rolloutSupportTexts[readiness.rollout]}</span>
        </>
      }
      end={<a href={`${serviceUrl}/docs/${docs}`}>How to connect</a>}
      isReadFirst
    >
      {missing.length > 0 && (
        <ul className={classes.missing}>
          {missing.map(({ message, build_id: buildId }) => (
            <li key={message}>
              {message}{' '}
              {buildId !== undefined && (
                <Link to="/applications/$applicationId/builds/$buildId" params={{ applicationId, buildId }}>
                  {channelText.addFile}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.urls}>
        {setup.map(({ title, code }) => (
          <div key={title}>
            <div className="soft">{title}</div>
            <CommandLine code={code} label={title} />
          </div>
        ))}
        {setup.length === 0 &&
          urls.map((url) => <CommandLine key={url} code={withKey(channel, url)} label={`URL for ${name}`} />)}
      </div>
      {health !== undefined && <Health health={health} />}
    </Item>
  )
}

/** Returns the URL with a placeholder for the read key if clients need one. */
const withKey = ({ access, url: base }: Channel, url: string): string =>
  access === 'public' ? url : url.replace(base, () => `${base}/k/{read_key}`)
