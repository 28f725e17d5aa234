import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { requireScope } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { downloadFilterQuery, readDownloadFilter } from './download-filter.ts'
import { countDownloads, groupingNames } from './download-list.db.ts'

const maxGroups = 100

const DownloadGroup = Type.Object(
  {
    value: Type.String({ description: 'ID, identifier or email address.' }),
    kind: Nullable(
      Type.Enum(['email', 'user', 'api_key'], { description: 'What `value` identifies, for `by=person`.' }),
    ),
    name: Nullable(Type.String({ description: 'Name of the resource or person, if it has one.' })),
    download_count: Type.Integer({ description: 'Number of downloads, including installs.' }),
    install_count: Type.Integer(),
    latest_at: Timestamp,
  },
  { title: 'DownloadGroup' },
)

const DownloadTotals = Type.Object(
  {
    download_count: Type.Integer({ description: 'Number of downloads, including installs.' }),
    install_count: Type.Integer(),
    group_count: Type.Integer({ description: 'Number of groups, including those that are not listed.' }),
    groups: Type.Array(DownloadGroup, {
      description: `The ${maxGroups} groups with the most downloads. Downloads of unknown people, or through other channels, belong to no group.`,
    }),
  },
  { title: 'DownloadTotals' },
)

export const getDownloadTotals = endpoint({
  method: 'GET',
  path: '/applications/:application_id/downloads/totals',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get download totals',
  description:
    'Counts the downloads that match the filters, and groups them by person, channel, platform, version, build, share link, distribution group or portal. `by=person` requires `members:read`.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...downloadFilterQuery,
    by: Type.Optional(
      Type.Enum(groupingNames, { default: 'channel', description: 'What the downloads are grouped by.' }),
    ),
  }),
  returns: one(DownloadTotals),
  load: requireApplicationOfPath,
  async handle({ db, actor, application, query: { by = 'channel', ...query } }) {
    if (by === 'person') requireScope(actor, { workspace: 'members:read', application: 'members:read' })
    const filter = await readDownloadFilter({ db, actor }, application, query)
    const { downloads, installs, groups } = await countDownloads(db, filter, by, maxGroups)
    const seesNames =
      by === 'distribution_group'
        ? actor.scopes.has('distribution_groups:read')
        : by !== 'portal' || actor.scopes.has('portals:read')
    return {
      message: 'Totals retrieved.',
      data: {
        download_count: downloads,
        install_count: installs,
        group_count: groups[0]?.all_groups ?? 0,
        groups: groups.map((group) => ({
          value: group.value,
          kind: group.kind as 'email' | 'user' | 'api_key' | null,
          name: seesNames ? group.name : null,
          download_count: group.downloads,
          install_count: group.installs,
          latest_at: group.latest_at,
        })),
      },
    }
  },
})
