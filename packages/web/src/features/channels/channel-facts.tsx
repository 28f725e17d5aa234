import { Group } from '@mantine/core'
import type { Channel } from '@quayside/sdk'
import { channelText } from '../../text/distribution/channels.ts'
import { IconKey, IconWorld } from '../../ui/icons/icons.ts'

/** Returns what a channel publishes. */
export function sourceOf({ stream, includes_prereleases: includesPrereleases }: Channel): string {
  if (stream !== null) return channelText.stream(stream.name)
  return includesPrereleases ? channelText.prereleases : channelText.releases
}

/** Whether everyone can read the channel. */
export function ChannelAccess({ access }: Pick<Channel, 'access'>) {
  const Icon = access === 'public' ? IconWorld : IconKey
  return (
    <Group gap={4} wrap="nowrap" component="span">
      <Icon size={14} aria-hidden />
      {channelText.access[access]}
    </Group>
  )
}
