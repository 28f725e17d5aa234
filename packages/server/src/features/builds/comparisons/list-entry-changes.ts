import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Nullable } from '../../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, searchQuery } from '../../../http/endpoint/pagination.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import {
  changeKinds,
  EntryChange,
  sortKeys,
  UnreadableEntries,
} from '../../../inspection/comparison/comparison-schema.ts'
import { compareFiles, comparisonParams, comparisonProblems, requireFilePairsOfPath } from './comparison.ts'

const perPage = 50

export const listEntryChanges = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/comparisons/:base_build_id/entries',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List changed entries',
  description:
    'Lists the entries of the archives of two builds that were added, removed, changed or renamed, those whose size changed most first. Entries of a ZIP archive are compared by the sizes and CRC-32 in its directory, and those of a tar archive by their content. Folders and links are not compared in tar archives. The list is empty if an archive cannot be opened: `unreadable` then has the reason.',
  params: comparisonParams,
  query: Type.Object({
    ...pageQuery(perPage),
    file_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'ID of a file of one of the builds; defaults to the primary files.',
      }),
    ),
    kind: Type.Optional(Type.Enum([...changeKinds])),
    search: searchQuery('the paths'),
    sort_by: Type.Optional(
      Type.Enum([...sortKeys], {
        default: 'size_change',
        description:
          '`size_change`: number of bytes by which the size changed. `size`: the larger of the two sizes.',
      }),
    ),
    sort: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  }),
  returns: Type.Object({
    ...pageOf(EntryChange).properties,
    unreadable: Nullable(UnreadableEntries),
  }),
  refuses: comparisonProblems,
  load: requireFilePairsOfPath,
  async handle({ build, pairs, query, ...call }) {
    const { file_id: fileId, kind, search = '', sort_by: sortBy = 'size_change', sort = 'desc' } = query
    const page = pageFrom(query, perPage)
    const pair = pairs.find(
      ({ before, after }) => fileId === undefined || fileId === before?.id || fileId === after?.id,
    )
    if (pair === undefined) throw invalid({ file_id: ['is not a file of one of the builds.'] }, 'query')
    const result = await compareFiles(call, pair, {
      query: {
        kinds: kind === undefined ? changeKinds : [kind],
        search,
        sortBy,
        direction: sort,
        offset: page.offset,
        limit: page.limit,
      },
      applicationId: build.application_id,
    })
    return {
      message: 'Changed entries retrieved.',
      data: result.entries,
      pagination: pagination(page, result.total, result.entries.length),
      unreadable: result.unreadable,
    }
  },
})
