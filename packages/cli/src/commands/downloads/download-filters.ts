import type { GetDownloadTotalsParams } from '@quayside/sdk'
import { Option } from 'commander'
import { timeOption } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'

/** Returns the options that select downloads. */
export const downloadFilters = (): FilterOptions<GetDownloadTotalsParams> => ({
  build_id: new Option('--build <id>', 'only downloads of this build'),
  release_id: new Option('--release <id>', 'only downloads of the builds of this release'),
  version: new Option('--version <version>', 'only downloads of this version, such as 1.4.0'),
  platform: new Option('--platform <slug>', 'only downloads of builds for this platform'),
  channel: new Option('--channel <channel>', 'only downloads through this channel, such as share-link'),
  email: new Option('--email <address>', 'only downloads by this member of a distribution group'),
  user_id: new Option('--user <id>', 'only downloads by this signed-in user'),
  api_key_id: new Option('--api-key <id>', 'only downloads with this API key'),
  share_link_id: new Option('--share-link <id>', 'only downloads through this share link'),
  distribution_group_id: new Option('--group <id>', 'only downloads through this distribution group'),
  portal_id: new Option('--portal <id>', 'only downloads through this portal'),
  created_after: timeOption('--created-after <time>', 'only downloads at or after this time'),
  created_before: timeOption('--created-before <time>', 'only downloads before this time'),
})
