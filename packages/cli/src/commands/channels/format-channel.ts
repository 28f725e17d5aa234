import type { Channel } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats a channel as a list of fields. */
export const formatChannel = (channel: Channel): string =>
  formatFields([
    ['Channel', channel.id],
    ['Name', channel.name],
    ['Publishes', formatSource(channel)],
    ['Formats', channel.formats.join(', ')],
    ['Access', formatAccess(channel)],
    ['URL', channel.url],
    ['Created', channel.created_at],
  ])

/** Formats what a channel publishes, such as `stream nightlies`. */
export function formatSource({ stream, includes_prereleases }: Channel): string {
  if (stream !== null) return `stream ${stream.name}`
  return includes_prereleases ? 'releases and pre-releases' : 'releases'
}

export const formatAccess = ({ access }: Channel): string => access.replace('_', ' ')
