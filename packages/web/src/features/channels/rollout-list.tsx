import { Button, Menu } from '@mantine/core'
import type { Channel, Rollout } from '@quayside/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { adoptionText } from '../../text/distribution/adoption.ts'
import { channelText, rolloutStateTexts } from '../../text/distribution/channels.ts'
import { formatCount } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconBan, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { showFailure } from '../../ui/toast.tsx'
import classes from './channel-page.module.css'
import { reloadChannels, rolloutsQuery } from './channel.queries.ts'
import { RolloutDialog } from './rollout-dialog.tsx'
import { systems } from './rollout-form.ts'

const shownAtFirst = 5

/** How a channel offers its newest versions. People with the scope pause, stop and grow rollouts. */
export function RolloutList({ channel }: { channel: Channel }) {
  const { id, application_id: applicationId } = channel
  const query = useQuery(rolloutsQuery({ application_id: applicationId, channel_id: id }))
  const canEdit = useSession().can('releases:write', applicationId)
  const [edited, setEdited] = useState<Rollout | 'new'>()
  const [showsAll, setShowsAll] = useState(false)
  return (
    <SettingsSection
      title="Rollouts"
      description={canEdit ? channelText.rollouts : `${channelText.rollouts} ${channelText.readOnlyRollouts}`}
      action={
        canEdit && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            New rollout
          </Button>
        )
      }
    >
      <Loaded query={query} rows={3}>
        {(rollouts) =>
          rollouts.length === 0 ? (
            <span className="soft">{channelText.noVersions}</span>
          ) : (
            <>
              <ItemList label="Versions">
                {rollouts.slice(0, showsAll ? undefined : shownAtFirst).map((rollout) => (
                  <RolloutItem
                    key={rollout.version}
                    channel={channel}
                    rollout={rollout}
                    onEdit={canEdit ? () => setEdited(rollout) : undefined}
                  />
                ))}
              </ItemList>
              {!showsAll && rollouts.length > shownAtFirst && (
                <Button variant="subtle" mt="xs" onClick={() => setShowsAll(true)}>
                  Show {rollouts.length - shownAtFirst} more
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      {edited !== undefined && (
        <RolloutDialog
          channel={channel}
          {...(edited === 'new' ? {} : { rollout: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </SettingsSection>
  )
}

type ItemProps = {
  channel: Channel
  rollout: Rollout
  /** Undefined if the person may not change rollouts. */
  onEdit: (() => void) | undefined
}

const tones = { active: 'good', paused: 'warn', stopped: 'bad', rolled_back: 'bad' } as const

function RolloutItem({ channel, rollout, onEdit }: ItemProps) {
  const { version, state, percentage, complete_at: completeAt, cohorts } = rollout
  const isOff = state === 'stopped' || state === 'rolled_back'
  const isPlain = state === 'active' && percentage === 100
  return (
    <Item
      isMuted={isOff}
      title={
        <>
          {version}
          {!isPlain && <StateBadge tone={tones[state]}>{rolloutStateTexts[state]}</StateBadge>}
          {!rollout.is_published && <StateBadge>{channelText.planned}</StateBadge>}
          {rollout.is_critical && <StateBadge tone="warn">Critical</StateBadge>}
          {rollout.is_required && <StateBadge>Required</StateBadge>}
        </>
      }
      detail={
        <>
          {completeAt !== null && (
            <span>
              {channelText.growsUntil} <RelativeTime time={completeAt} />
            </span>
          )}
          {rollout.stop_when !== null && <span>{channelText.stopsAt(rollout.stop_when)}</span>}
          <Reports reports={rollout.reports} />
          {cohorts.length > 0 && <span>Cohorts: {cohorts.join(', ')}</span>}
          {systems
            .filter(({ id }) => rollout.minimum_os[id] !== undefined)
            .map(({ id, name }) => (
              <span key={id}>
                {name} {rollout.minimum_os[id]} or later
              </span>
            ))}
        </>
      }
      end={<Share percentage={isOff ? 0 : percentage} isOff={isOff || state === 'paused'} />}
      menu={onEdit && <RolloutMenu channel={channel} rollout={rollout} onEdit={onEdit} />}
    >
      {rollout.stopped_by_rule !== null && (
        <Notice kind="bad" title={channelText.ruleStopped} role="status">
          {channelText.ruleReports(rollout.stopped_by_rule)}{' '}
          <RelativeTime time={rollout.stopped_by_rule.stopped_at} />. {channelText.ruleNext}
        </Notice>
      )}
    </Item>
  )
}

/** What clients reported, with the platforms that had failures. */
function Reports({ reports: { installed, failed, by_platform: platforms } }: Pick<Rollout, 'reports'>) {
  const total = installed + failed
  if (total === 0) return null
  const failing = platforms.filter((each) => each.failed > 0 && each.platform !== null)
  return (
    <span>
      {channelText.reported(failed, total)}
      {failing.length > 0 &&
        ` (${failing
          .map(
            (each) =>
              `${each.platform === null ? '' : adoptionText.platforms[each.platform]} ${formatCount(each.failed)}`,
          )
          .join(', ')})`}
    </span>
  )
}

/** The share of clients that are offered a version. */
function Share({ percentage, isOff }: { percentage: number; isOff: boolean }) {
  return (
    <div className={classes.share}>
      <span className={classes.track} aria-hidden>
        <span className={classes.bar} data-off={isOff || undefined} style={{ width: `${percentage}%` }} />
      </span>
      <span className="tabular">
        {percentage === 100
          ? channelText.everyone
          : percentage === 0
            ? channelText.nobody
            : channelText.share(percentage)}
      </span>
    </div>
  )
}

function RolloutMenu({ channel, rollout, onEdit }: ItemProps & { onEdit: () => void }) {
  const queryClient = useQueryClient()
  const { id, application_id: applicationId } = channel
  const { version, state } = rollout
  const { mutate } = useMutation({
    mutationFn: async (next: Rollout['state']) => {
      await api.updateRollout({
        application_id: applicationId,
        channel_id: id,
        body: { version, state: next },
      })
      await reloadChannels(queryClient, applicationId)
    },
    onError: showFailure,
  })
  return (
    <RowMenu label={`Actions for ${version}`}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
        Edit rollout
      </Menu.Item>
      {state === 'active' ? (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => mutate('paused')}>
          Pause
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => mutate('active')}>
          Continue
        </Menu.Item>
      )}
      {state !== 'stopped' && (
        <Menu.Item color="red" leftSection={<IconBan size={16} />} onClick={() => mutate('stopped')}>
          Stop
        </Menu.Item>
      )}
    </RowMenu>
  )
}
