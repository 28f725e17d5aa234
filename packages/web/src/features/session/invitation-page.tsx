import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { failureOf } from '../../api/errors.ts'
import { sessionQuery } from '../../api/session.ts'
import { invitationDescription, invitationText } from '../../text/members/invitation.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AcceptInvitationForm } from './accept-invitation-form.tsx'
import { OutsidePage } from './outside-page.tsx'
import { invitationQuery } from './sign-in.queries.ts'

const route = getRouteApi('/invitations/$token')

/** Shows who invites to what. A new person chooses a password; others accept and then sign in. */
export function InvitationPage() {
  const { token } = route.useParams()
  const { data: invitation, error, refetch } = useQuery(invitationQuery(token))
  // Fails if nobody is signed in.
  const { data: session, isPending } = useQuery(sessionQuery)
  const isOwn = session?.user.email === invitation?.email
  if (error !== null) {
    const { status, message } = failureOf(error)
    const isGone = status === 404 || status === 410
    return (
      <OutsidePage
        title={isGone ? 'This invitation no longer works' : 'The invitation could not be loaded'}
        description={isGone ? `${status === 404 ? '' : `${message} `}${invitationText.gone}` : undefined}
      >
        {isGone ? (
          <ButtonLink to="/sign-in" fullWidth variant="default">
            Sign in
          </ButtonLink>
        ) : (
          <FailureBanner error={error} onRetry={() => void refetch()} />
        )}
      </OutsidePage>
    )
  }
  if (invitation === undefined || isPending)
    return (
      <OutsidePage title="Invitation">
        <Stack aria-busy>
          <Skeleton height={20} />
          <Skeleton height={56} />
          <Skeleton height={56} />
        </Stack>
      </OutsidePage>
    )
  return (
    <OutsidePage
      title={`Join ${invitation.application_name ?? invitation.workspace_name}`}
      description={invitationDescription(invitation)}
      footer={
        <>
          Expires <RelativeTime time={invitation.expires_at} />.{' '}
          {!invitation.has_account && <Link to="/sign-in">Sign in with an account</Link>}
        </>
      }
    >
      <Stack>
        {session !== undefined && !isOwn && (
          <Notice kind="info" title={invitationText.signedInAsOther(session.user.email)} />
        )}
        <AcceptInvitationForm token={token} invitation={invitation} session={isOwn ? session : undefined} />
      </Stack>
    </OutsidePage>
  )
}
