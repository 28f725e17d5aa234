import { Type, type Static } from 'typebox'
import { platformSlugs } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { searchQuery } from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { requireApplicationWithBuild, type FeedbackFilter } from './feedback.db.ts'
import { feedbackStates } from './feedback.ts'

/** The filters of the list and the export. */
export const feedbackFilters = {
  build_id: Type.Optional(Type.String({ maxLength: 255, description: 'ID of a build.' })),
  state: Type.Optional(Type.Enum([...feedbackStates])),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  platform: Type.Optional(
    Type.String({ maxLength: 100, description: 'Identifier of the platform of the build.' }),
  ),
  search: searchQuery('the text, name, device and operating system'),
}

const Filters = Type.Object(feedbackFilters)

/** Loads the application and looks up the build of the filter; throws 404 if the application does not exist. */
export const loadFilteredApplication = ({
  db,
  actor,
  params,
  query,
}: {
  db: Db
  actor: Actor
  params: { application_id: string }
  query: { build_id?: string | undefined }
}) => requireApplicationWithBuild(db, actor, params.application_id, query.build_id)

/** Returns the filter of a query; throws `invalid` for a build or platform that does not exist. */
export function readFeedbackFilter(
  hasBuild: boolean,
  { build_id: buildId, state, rating, platform, search }: Static<typeof Filters>,
): FeedbackFilter {
  if (buildId !== undefined && !hasBuild)
    throw invalid({ build_id: [`"${buildId}" is not a build of this application.`] })
  if (platform !== undefined && !platformSlugs.some((slug) => slug === platform))
    throw invalid({ platform: [`"${platform}" is not a platform.`] })
  return { buildId, state, rating, platform, search }
}
