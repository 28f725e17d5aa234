import type { Channel, FormatReadiness } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { serviceUrl } from '../../api/browser.ts'
import { channelText, formatTexts, rolloutSupportTexts } from '../../text/distribution/channels.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import classes from './channel-page.module.css'
import { readinessQuery } from './channel.queries.ts'

/** The URLs of each format, and what the newest version lacks. */
export function ChannelFormats({ channel }: { channel: Channel }) {
  const { id, application_id: applicationId } = channel
  const query = useQuery(readinessQuery({ application_id: applicationId, channel_id: id }))
  return (
    <SettingsSection title="Formats" description={channelText.formatsSection}>
      <Loaded query={query} rows={channel.formats.length}>
        {(formats) => (
          <ItemList label="Formats">
            {formats.map((readiness) => (
              <FormatItem key={readiness.format} channel={channel} readiness={readiness} />
            ))}
          </ItemList>
        )}
      </Loaded>
    </SettingsSection>
  )
}

function FormatItem({ channel, readiness }: { channel: Channel; readiness: FormatReadiness }) {
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
    </Item>
  )
}

/** Returns the URL with a placeholder for the read key if clients need one. */
const withKey = ({ access, url: base }: Channel, url: string): string =>
  access === 'public' ? url : url.replace(base, () => `${base}/k/{read_key}`)
