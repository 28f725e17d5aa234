import { Type, type Static } from 'typebox'
import { completeJson } from '../../database/json-text.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Json } from '../../http/endpoint/json.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { groupings, maxMembers } from './build-groups.db.ts'
import { BuildListFilter, buildOrder, namesIn, readFilter } from './build-list-filter.ts'
import { listBuildsPage, requireApplicationWithReferences } from './build-list.db.ts'
import { ListedBuild } from './build.ts'

const perPage = 15

const Query = Type.Object({
  ...buildOrder,
  ...pageQuery(perPage),
  ...BuildListFilter.properties,
  group_by: Type.Optional(
    Type.Enum([...groupings], {
      description:
        'Lists each group of builds once, as its newest build with the others in `group`: builds of one `version`, commit and run, usually for several platforms, of one `run`, or of one `branch`. Filters apply to all builds of a group, and builds without a commit, run or branch are no part of a group. `total` is the number of groups.',
    }),
  ),
})

const GroupedBuild = Type.Object(
  {
    ...ListedBuild.properties,
    group: Type.Optional(
      Type.Object(
        {
          size: Type.Integer({ description: 'Number of builds in the group, including this one.' }),
          builds: Type.Array(ListedBuild, {
            description: `The other builds of the group, newest first, at most ${maxMembers}.`,
          }),
        },
        { title: 'BuildGroup', description: 'Only with `group_by`.' },
      ),
    ),
  },
  { title: 'GroupedBuild' },
)

export const listBuilds = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List builds',
  description:
    'To follow new builds, use `GET /applications/{application_id}/changes`: a list filtered by `created_after` can miss builds that are created concurrently.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Query,
  returns: pageOf(GroupedBuild),
  async load({ db, actor, params, query }) {
    return requireApplicationWithReferences(db, actor, params.application_id, namesIn(query))
  },
  async handle({ db, application, references, query, config }) {
    const { filter, note, errors } = readFilter(references, query)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const page = pageFrom(query, perPage)
    const order = { sortBy: query.sort_by ?? 'created_at', direction: query.sort ?? 'asc' } as const
    const listing = { applicationId: application.id, filter, order, page, grouping: query.group_by }
    const { json, count, total } = await listBuildsPage(db, listing)
    return {
      message: `Builds retrieved.${note}`,
      data: new Json<Static<typeof GroupedBuild>[]>(`[${completeJson(json, config)}]`),
      pagination: pagination(page, total, count),
    }
  },
})
