import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { failureOf } from '../../api/errors.ts';
import { sessionQuery } from '../../api/session.ts';
import { invitationDescription, invitationText } from '../../text/invitation.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';
import { OutsidePage } from './outside-page.tsx';
import { invitationQuery } from './sign-in.queries.ts';
const route = getRouteApi('/invitations/$token');
/** Shows who invites to what. A new person chooses a password; others accept and then sign in. */
export function InvitationPage() {
    const { token } = route.useParams();
    const { data: invitation, error, refetch } = useQuery(invitationQuery(token));
    // Fails if nobody is signed in.
    const { data: session, isPending } = useQuery(sessionQuery);
    const isOwn = session?.user.email === invitation?.email;
    if (error !== null) {
        const { status, message } = failureOf(error);
        const isGone = status === 404 || status === 410;
        return (_jsx(OutsidePage, { title: isGone ? 'This invitation no longer works' : 'The invitation could not be loaded', description: isGone ? `${status === 404 ? '' : `${message} `}${invitationText.gone}` : undefined, children: isGone ? (_jsx(ButtonLink, { to: "/sign-in", fullWidth: true, variant: "default", children: "Sign in" })) : (_jsx(FailureBanner, { error: error, onRetry: () => void refetch() })) }));
    }
    if (invitation === undefined || isPending)
        return (_jsx(OutsidePage, { title: "Invitation", children: _jsxs(Stack, { "aria-busy": true, children: [_jsx(Skeleton, { height: 20 }), _jsx(Skeleton, { height: 56 }), _jsx(Skeleton, { height: 56 })] }) }));
    return (_jsx(OutsidePage, { title: `Join ${invitation.application_name ?? invitation.workspace_name}`, description: invitationDescription(invitation), footer: _jsxs(_Fragment, { children: ["Expires ", _jsx(RelativeTime, { time: invitation.expires_at }), ".", ' ', !invitation.has_account && _jsx(Link, { to: "/sign-in", children: "Sign in with an account" })] }), children: _jsxs(Stack, { children: [session !== undefined && !isOwn && (_jsx(Notice, { kind: "info", title: invitationText.signedInAsOther(session.user.email) })), _jsx(AcceptInvitationForm, { token: token, invitation: invitation, session: isOwn ? session : undefined })] }) }));
}
