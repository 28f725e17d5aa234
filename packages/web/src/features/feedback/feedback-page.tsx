import { Switch } from '@mantine/core'
import type { Application } from '@quayside/sdk'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { FeedbackItem } from './feedback-item.tsx'
import { FeedbackList } from './feedback-list.tsx'
import { feedbackQuery, feedbackSubscriptionQuery, type FeedbackSearch } from './feedback.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/feedback')

/** What testers wrote about an application. An email links to one entry. */
export function FeedbackPage() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { id, ...search }: FeedbackSearch & { id?: string | undefined } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader title="Feedback" actions={<SubscriptionSwitch application={application} />} />
      {id === undefined ? (
        <FeedbackList
          key={applicationId}
          applicationId={applicationId}
          search={search}
          onChange={(change) =>
            void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true })
          }
        />
      ) : (
        <OneEntry applicationId={applicationId} id={id} />
      )}
    </>
  )
}

function OneEntry({ applicationId, id }: { applicationId: string; id: string }) {
  const query = useQuery(feedbackQuery(applicationId, id))
  return (
    <>
      <Loaded query={query} rows={1}>
        {(feedback) => (
          <ItemList label="Feedback">
            <FeedbackItem feedback={feedback} showsBuild />
          </ItemList>
        )}
      </Loaded>
      <ButtonLink
        variant="default"
        size="xs"
        mt="md"
        to="/applications/$applicationId/feedback"
        params={{ applicationId }}
      >
        Show all feedback
      </ButtonLink>
    </>
  )
}

function SubscriptionSwitch({ application: { id } }: { application: Pick<Application, 'id'> }) {
  const queryClient = useQueryClient()
  const { queryKey } = feedbackSubscriptionQuery(id)
  const { data } = useQuery(feedbackSubscriptionQuery(id))
  async function change(is_subscribed: boolean): Promise<void> {
    queryClient.setQueryData(queryKey, is_subscribed)
    try {
      await api.replaceFeedbackSubscription({ application_id: id, body: { is_subscribed } })
      showDone(is_subscribed ? feedbackText.subscribed : feedbackText.unsubscribed)
    } catch (error) {
      queryClient.setQueryData(queryKey, !is_subscribed)
      showFailure(error)
    }
  }
  return (
    <Switch
      label={feedbackText.emails}
      checked={data ?? false}
      disabled={data === undefined}
      onChange={({ currentTarget: { checked } }) => void change(checked)}
    />
  )
}
