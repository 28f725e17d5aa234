import type { Feedback } from '@quayside/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { exportUrl } from '../../api/export-url.ts'
import { pageByPage } from '../../api/next-page.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { optionalOneOf } from '../../api/search-params.ts'

const perPage = 25

/** The filters of the list, as in the URL. */
export type FeedbackSearch = {
  state?: string | undefined
  rating?: string | undefined
  q?: string | undefined
}

type Subject = { applicationId: string; buildId?: string | undefined }

/** Returns the filters as the API takes them. */
function feedbackFilter({ buildId }: Subject, { state, rating, q }: FeedbackSearch) {
  const knownState = optionalOneOf(state, ['open', 'closed'])
  const knownRating = optionalOneOf(rating, ['1', '2', '3', '4', '5'])
  return {
    ...(buildId === undefined ? {} : { build_id: buildId }),
    ...(knownState === undefined ? {} : { state: knownState }),
    ...(knownRating === undefined ? {} : { rating: Number(knownRating) }),
    ...(q === undefined ? {} : { search: q }),
  }
}

/** Feedback about an application or one of its builds, newest first. */
export const feedbackListQuery = (subject: Subject, search: FeedbackSearch) =>
  infiniteQueryOptions({
    queryKey: applicationKey(subject.applicationId, 'feedback', 'list', subject.buildId, search),
    queryFn: ({ pageParam, signal }) =>
      api.listFeedback(
        {
          application_id: subject.applicationId,
          ...feedbackFilter(subject, search),
          sort: 'desc',
          page: pageParam,
          per_page: perPage,
        },
        { signal },
      ),
    ...pageByPage,
  })

/** The number of open feedback about a build. */
export const openFeedbackCountQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'feedback', 'count', buildId),
    queryFn: async ({ signal }) => {
      const filter = { application_id: applicationId, build_id: buildId, state: 'open', per_page: 1 } as const
      return (await api.listFeedback(filter, { signal })).pagination.total
    },
  })

/** One entry, to which emails link. */
export const feedbackQuery = (applicationId: string, id: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'feedback', 'one', id),
    queryFn: async ({ signal }) =>
      (await api.getFeedback({ application_id: applicationId, feedback_id: id }, { signal })).data,
  })

/** Whether the person gets emails about feedback. */
export const feedbackSubscriptionQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'feedback', 'subscription'),
    queryFn: async ({ signal }) =>
      (await api.getFeedbackSubscription({ application_id: applicationId }, { signal })).data.is_subscribed,
  })

/** Returns the URL of an export of the feedback in the list. */
export const feedbackExportUrl = (subject: Subject, search: FeedbackSearch, format: 'csv' | 'json'): string =>
  exportUrl(subject.applicationId, 'feedback', { ...feedbackFilter(subject, search), format })

/** Returns the path of a screenshot. Its URL has the public host of the service, which the console may not have. */
export const screenshotPath = ({ url }: Feedback['screenshots'][number]): string => new URL(url).pathname
