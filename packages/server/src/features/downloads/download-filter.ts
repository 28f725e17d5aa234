import { Type, type Static } from 'typebox'
import { platforms } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
import { requireScope, type Actor } from '../../http/endpoint/actor.ts'
import { createdBetween, readCreatedBetween } from '../../http/endpoint/created-between.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { parseVersion } from '../../lib/semver.ts'
import { channels } from '../builds/files/download.ts'
import { listUnknownReferences, type DownloadFilter, type References } from './download-filter.db.ts'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
const idOf = (noun: string) => text(255, `ID of ${noun}.`)

const references = {
  build_id: idOf('a build of the application'),
  release_id: text(255, 'ID of a release: lists the downloads of its builds, regardless of the channel.'),
  share_link_id: idOf('a share link'),
  distribution_group_id: idOf('a distribution group'),
  portal_id: idOf('a portal'),
  api_key_id: idOf('an API key'),
  user_id: idOf('a user who downloaded while signed in'),
}

/** The query parameters that filter downloads. */
export const downloadFilterQuery = {
  ...references,
  email: text(255, 'Email address of a distribution group member. Requires `members:read`.'),
  platform: text(100, 'Identifier of a platform.'),
  version: text(200, 'Full semantic version of the builds, for example `1.4.0-beta.2`.'),
  channel: Type.Optional(Type.Enum([...channels])),
  ...createdBetween,
}

const FilterQuery = Type.Object(downloadFilterQuery)

/** Returns the filter. Throws 422 with an error for each unknown value, and 403 for an address that is not visible. */
export async function readDownloadFilter(
  { db, actor }: { db: Db; actor: Actor },
  application: { id: string; workspace_id: string },
  query: Static<typeof FilterQuery>,
): Promise<DownloadFilter> {
  // Filtering by address would reveal who received links.
  if (query.email !== undefined)
    requireScope(actor, { workspace: 'members:read', application: 'members:read' })
  const errors: Record<string, string[]> = {}
  const { platform, channel } = query
  const createdRange = readCreatedBetween(query, errors)
  const version = query.version === undefined ? undefined : parseVersion(query.version)
  if (query.version !== undefined && version === undefined)
    errors['version'] = ['must be a semantic version such as 1.4.0.']
  if (platform !== undefined && !platforms.some(({ identifier }) => identifier === platform))
    errors['platform'] = [`"${platform}" is not a platform.`]
  const named = Object.fromEntries(
    Object.keys(references).map((field) => [field, query[field as keyof References]]),
  ) as References
  for (const field of await listUnknownReferences(db, application, named))
    errors[field] = [`"${named[field]}" is unknown in this application.`]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return {
    ...named,
    applicationId: application.id,
    email: query.email?.toLowerCase(),
    platform,
    version,
    channel,
    ...createdRange,
  }
}
