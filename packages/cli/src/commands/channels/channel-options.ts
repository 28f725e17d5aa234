import type { ChannelFormat } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { collectList } from '../../option-parsers.ts'

export type ChannelOptions = {
  stream?: string
  releases?: boolean
  prereleases?: boolean
  format?: string[]
  access?: 'public' | 'read-keys'
}

/** Adds the options that describe a channel. */
export function withChannelOptions(command: Command): Command {
  return command
    .option('--stream <stream>', 'stream to publish, by ID or name')
    .option('--releases', 'publish the releases of the application (default)')
    .option('--prereleases', 'publish releases with a pre-release version too')
    .option('--no-prereleases', 'do not publish releases with a pre-release version (default)')
    .option('--format <format>', 'format to serve, such as sparkle or electron (repeatable)', collectList)
    .addOption(
      new Option('--access <access>', 'who can read the channel (default: public)').choices([
        'public',
        'read-keys',
      ]),
    )
}

/** Returns the fields that the options set. */
export function channelFields({ stream, releases, prereleases, format, access }: ChannelOptions) {
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(releases === true ? { stream: null } : {}),
    ...(prereleases === undefined ? {} : { includes_prereleases: prereleases }),
    ...(format === undefined ? {} : { formats: format as ChannelFormat[] }),
    ...(access === undefined
      ? {}
      : { access: access === 'public' ? ('public' as const) : ('read_keys' as const) }),
  }
}
