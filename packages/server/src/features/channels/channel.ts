import { Type, type Static } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { ApplicationId, name, Nullable, PathId, reference, Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'
import { publishedByChannels } from '../streams/stream.ts'
import { formatIds, type FormatId } from './adapters/formats.ts'
import { listChannelsOfStream, type ChannelRow } from './channel.db.ts'

export const maxChannels = 50

export const ChannelParams = Type.Object({
  application_id: ApplicationId,
  channel_id: PathId('ID of the channel.'),
})

export const Format = Type.Enum([...formatIds], { title: 'ChannelFormat' })

const access = Type.Enum(['public', 'read_keys'], {
  description:
    '`public`: everyone who knows the URL can read the channel. `read_keys`: a read key is required.',
})

export const Channel = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    stream: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The stream whose builds are published; `null` if the releases are published.' },
      ),
    ),
    includes_prereleases: Type.Boolean({
      description: 'Whether releases with a pre-release version, such as `2.0.0-beta.1`, are published.',
    }),
    formats: Type.Array(Format),
    access,
    url: Type.String({
      description: 'Base URL of the channel. Append a format and the path that its clients request.',
    }),
    application_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Channel' },
)

const input = {
  name: name(100, 'Unique within the application, ignoring case.'),
  stream: Nullable(
    reference(255, 'ID or name of the stream to publish. `null` publishes the releases of the application.'),
  ),
  includes_prereleases: Type.Boolean({
    description:
      'Whether to publish releases with a pre-release version. Streams publish all of their builds.',
  }),
  formats: Type.Array(Format, { minItems: 1, maxItems: formatIds.length, uniqueItems: true }),
  access,
}

export const NewChannel = Type.Object({
  name: input.name,
  stream: Type.Optional(input.stream),
  includes_prereleases: Type.Optional(input.includes_prereleases),
  formats: input.formats,
  access: Type.Optional(input.access),
})

export const ChannelChanges = changesOf(input)

declare module '../../events/catalogue.ts' {
  interface EventResources {
    channel: Static<typeof Channel>
  }
}

/** Returns the base URL of a channel, which has no slash at its end. */
export const channelUrl = ({ config }: Pick<Deps, 'config'>, id: string): string =>
  `${config.publicUrl}/u/${id}`

export function channelResource(row: ChannelRow, deps: Pick<Deps, 'config'>): Static<typeof Channel> {
  const { id, shown_stream_id, stream_name } = row
  return {
    id,
    name: row.name,
    stream:
      shown_stream_id === null || stream_name === null ? null : { id: shown_stream_id, name: stream_name },
    includes_prereleases: row.includes_prereleases,
    formats: row.formats as FormatId[],
    access: row.access as 'public' | 'read_keys',
    url: channelUrl(deps, id),
    application_id: row.application_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns the fields of a channel that the audit log records. */
export const channelAuditSnapshot = (row: ChannelRow) => ({
  name: row.name,
  stream: row.stream_name,
  includes_prereleases: row.includes_prereleases,
  formats: row.formats,
  access: row.access,
})

export const nameTaken = problem(
  'conflict',
  'channel.name_taken',
  'A channel with this name already exists. Choose another name.',
)

export const tooManyChannels = problem(
  'conflict',
  'channel.too_many',
  'An application can have at most {max} channels. Delete one that is no longer used.',
)

export const streamGone = problem(
  'conflict',
  'channel.stream_gone',
  'The stream was just deleted. Select another stream.',
)

export const channelConflicts = {
  channels_name: nameTaken,
  channels_stream_id_application_id_fkey: streamGone,
} as const

/** Throws a conflict that names the channels if any of them publishes the stream. */
export async function requireStreamUnpublished(tx: Tx, stream: { id: string }): Promise<void> {
  const names = await listChannelsOfStream(tx, stream.id)
  if (names.length > 0)
    throw publishedByChannels({ channels: `the channel ${names.map((each) => `"${each}"`).join(', ')}` })
}
