import { Type, type Static } from 'typebox'
import type { Executor } from '../../../database/transaction.ts'
import { scopeMissing, type Actor } from '../../../http/endpoint/actor.ts'
import { changesOf } from '../../../http/endpoint/changes.ts'
import type { ValidPart } from '../../../http/endpoint/endpoint.ts'
import { name, PathId, Timestamp } from '../../../http/endpoint/fields.ts'
import type { FieldErrors } from '../../../http/endpoint/validation.ts'
import { problem } from '../../../lib/problem.ts'
import { groupings } from '../build-groups.db.ts'
import { buildFilters, buildOrder, namesIn, readFilter } from '../build-list-filter.ts'
import { requireApplicationWithReferences } from '../build-list.db.ts'

/** The columns of the list in the console that a view can hide. */
const columns = ['stream', 'labels', 'commit', 'source', 'size', 'age'] as const

const ViewQuery = Type.Object(
  {
    ...buildOrder,
    ...buildFilters,
    group_by: Type.Optional(
      Type.Enum([...groupings, 'none'], {
        description: 'What the builds of a row have in common; `none` lists each build as a row.',
      }),
    ),
    hidden_columns: Type.Optional(
      Type.Array(Type.Enum([...columns]), {
        maxItems: columns.length,
        uniqueItems: true,
        description: 'Columns that the console hides. If absent, it shows those that the person has chosen.',
      }),
    ),
  },
  {
    title: 'ViewQuery',
    description:
      'Filters, order and grouping with the names of `List builds`. Unknown parameters are not stored.',
  },
)

export type ViewQuery = Static<typeof ViewQuery>

const visibilities = ['personal', 'team'] as const

const Visibility = Type.Enum([...visibilities], {
  description:
    'Who sees the view: `personal` only the person who created it, `team` everyone who can list the builds of the application. Team views require `builds:write`, and API keys can use only team views.',
})

export const View = Type.Object(
  {
    id: Type.String(),
    application_id: Type.String(),
    name: Type.String(),
    visibility: Visibility,
    query: ViewQuery,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'View' },
)

export type ViewRow = Omit<Static<typeof View>, 'visibility'> & { user_id: string | null }

export const viewResource = ({ user_id, ...row }: ViewRow): Static<typeof View> => ({
  ...row,
  visibility: user_id === null ? 'team' : 'personal',
})

export const viewAuditSnapshot = (row: ViewRow) => {
  const { name, visibility, query } = viewResource(row)
  return { name, visibility, query }
}

export const ViewId = PathId('ID of the view.')

export const NewView = Type.Object(
  {
    name: name(80, 'Unique among the views of the team or of the person, ignoring case.'),
    visibility: Visibility,
    query: ViewQuery,
  },
  { examples: [{ name: 'Android nightlies', visibility: 'team', query: { platforms: 'android' } }] },
)

export const ViewChanges = changesOf(NewView.properties)

/** Returns the known parameters that are set, so that nothing else is stored. */
export function knownParameters(query: ViewQuery): ViewQuery {
  const entries = Object.entries(query).filter(
    ([parameter, value]) =>
      Object.hasOwn(ViewQuery.properties, parameter) && value !== undefined && value !== '',
  )
  return Object.fromEntries(entries)
}

type Body = { visibility?: unknown; query?: ValidPart<ViewQuery> | undefined }

/** Returns the errors that listing the builds with these parameters would have, and a personal view of an API key. */
export async function viewErrors(
  db: Executor,
  actor: Actor,
  applicationId: string,
  { visibility, query = {} }: Body,
): Promise<FieldErrors> {
  const valid = withoutUndefined(query)
  const { references } = await requireApplicationWithReferences(db, actor, applicationId, namesIn(valid))
  const { errors } = readFilter(references, valid)
  const all: FieldErrors = {}
  for (const [parameter, texts] of Object.entries(errors)) all[`query.${parameter}`] = texts
  if (actor.session === null && visibility === 'personal')
    all['visibility'] = ['must be "team" for API keys.']
  return all
}

const withoutUndefined = (query: ValidPart<ViewQuery>): ViewQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** Throws `forbidden` if one of these owners is the team and the caller may not change team views. */
export function requireViewAuthority({ scopes }: Actor, ...owners: (string | null)[]): void {
  if (owners.includes(null) && !scopes.has('builds:write')) throw scopeMissing({ scope: 'builds:write' })
}

/** The person whose personal views a caller can use; null for API keys. */
export const viewerOf = ({ session, userId }: Actor): string | null => (session === null ? null : userId)

/** Returns the owner of a view with this visibility: the caller, or null for the team. */
export const ownerOf = (actor: Actor, visibility: (typeof visibilities)[number]): string | null =>
  visibility === 'team' ? null : viewerOf(actor)

/** The maximum number of team views of an application, and of the personal views of a person in it. */
export const maxViews = 100

export const tooManyViews = problem(
  'conflict',
  'view.too_many',
  'The application already has {count} such views. Delete one first.',
)

export const viewNameTaken = problem(
  'conflict',
  'view.name_taken',
  'A view with this name already exists. Choose another name.',
)

export const viewNotDeleted = problem('conflict', 'view.not_deleted', 'This view is not deleted.')

export const viewProblems = [tooManyViews, viewNameTaken]
