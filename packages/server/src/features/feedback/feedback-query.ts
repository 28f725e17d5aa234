import { Type, type Static } from 'typebox'
import { platformSlugs } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
import { searchQuery } from '../../http/endpoint/pagination.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { hasBuild, type FeedbackFilter } from './feedback.db.ts'
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

/** Returns the filter of a query; throws `invalid` for a build or platform that does not exist. */
export async function readFeedbackFilter(
  db: Db,
  applicationId: string,
  { build_id: buildId, state, rating, platform, search }: Static<typeof Filters>,
): Promise<FeedbackFilter> {
  if (buildId !== undefined && !(await hasBuild(db, applicationId, buildId)))
    throw invalid({ build_id: [`"${buildId}" is not a build of this application.`] })
  if (platform !== undefined && !platformSlugs.some((slug) => slug === platform))
    throw invalid({ platform: [`"${platform}" is not a platform.`] })
  return { buildId, state, rating, platform, search }
}
