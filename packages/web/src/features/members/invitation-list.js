import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Menu, Switch } from '@mantine/core';
import { IconMail, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { memberText, roleLabel } from '../../text/members.ts';
import { plural } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { showDone, showFailure } from '../../ui/toast.tsx';
import { applicationsQuery } from '../applications/application.queries.ts';
import { InvitationLink } from './invite-dialog.tsx';
import { invitationsQuery } from './member.queries.ts';
/** The invitations that are open and, on request, those that were accepted, revoked or have expired. */
export function InvitationList({ applicationId }) {
    const { data: all = [] } = useQuery(invitationsQuery);
    const [showsAll, setShowsAll] = useState(false);
    const [resent, setResent] = useState();
    const [revoking, setRevoking] = useState();
    const queryClient = useQueryClient();
    const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    const invitations = applicationId === undefined ? all : all.filter((each) => each.application_id === applicationId);
    const open = invitations.filter(({ status }) => status === 'open');
    const shown = showsAll ? invitations : open;
    const past = invitations.length - open.length;
    if (invitations.length === 0)
        return null;
    /** An invitation cannot be sent twice, because the server does not know its link. A new one replaces it. */
    async function sendAgain({ id, email, role, application_id, status }) {
        try {
            if (status === 'open')
                await api.deleteInvitation({ invitation_id: id });
            setResent((await api.createInvitation({ body: { email, role, application_id } })).data);
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            void refresh();
        }
    }
    return (_jsxs(SettingsSection, { title: "Invitations", children: [shown.length > 0 && (_jsx(ItemList, { label: "Invitations", children: shown.map((invitation) => (_jsx(InvitationItem, { invitation: invitation, onSend: () => void sendAgain(invitation), onRevoke: () => setRevoking(invitation) }, invitation.id))) })), past > 0 && (_jsx(Switch, { mt: "md", size: "xs", label: `Show ${plural(past, 'invitation')} that ${past === 1 ? 'is' : 'are'} no longer open`, checked: showsAll, onChange: (event) => setShowsAll(event.currentTarget.checked) })), resent !== undefined && _jsx(InvitationLink, { invitation: resent, onClose: () => setResent(undefined) }), revoking !== undefined && (_jsx(ConfirmDialog, { title: `Revoke the invitation to ${revoking.email}?`, confirmLabel: "Revoke", isDangerous: true, onClose: () => setRevoking(undefined), onConfirm: async () => {
                    await api.deleteInvitation({ invitation_id: revoking.id });
                    showDone('Invitation revoked.');
                    await refresh();
                }, children: memberText.revokeInvitation }))] }));
}
function InvitationItem({ invitation, onSend, onRevoke }) {
    const { email, role, status, application_id: applicationId, created_at: createdAt } = invitation;
    const { data: applications } = useSuspenseQuery(applicationsQuery);
    const { can, role: ownRole } = useSession();
    const isOpen = status === 'open';
    const place = applications.find(({ id }) => id === applicationId)?.name;
    const canEdit = can('members:write') && (role !== 'owner' || ownRole === 'owner');
    return (_jsx(Item, { leading: _jsx(IconMail, { size: 18 }), isMuted: !isOpen, title: _jsxs(_Fragment, { children: [email, !isOpen && _jsx(StateBadge, { tone: status === 'accepted' ? 'good' : 'neutral', children: status })] }), detail: _jsxs(_Fragment, { children: [_jsxs("span", { children: [roleLabel(role), applicationId !== null && ` in ${place ?? 'a deleted application'}`] }), _jsxs("span", { children: ["invited ", _jsx(RelativeTime, { time: createdAt })] })] }), end: isOpen && (_jsxs("span", { children: ["Expires ", _jsx(RelativeTime, { time: invitation.expires_at })] })), menu: canEdit &&
            status !== 'accepted' && (_jsxs(RowMenu, { label: `Actions for the invitation to ${email}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconSend, { size: 16 }), onClick: onSend, children: isOpen ? 'Send again' : 'Invite again' }), isOpen && (_jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: onRevoke, children: "Revoke" }))] })) }));
}
