import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserMinus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { memberText, roleLabel, workspaceRoles } from '../../text/members.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { showDone, showUndo } from '../../ui/toast.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { workspaceMembersQuery } from './member.queries.ts';
import { RoleSelect } from './role-select.tsx';
/** The members of the workspace with their roles, and the open invitations. */
export function MembersSection() {
    const query = useQuery(workspaceMembersQuery);
    const { can, user, role: ownRole } = useSession();
    const [isInviting, { open, close }] = useDisclosure();
    const [removing, setRemoving] = useState();
    const [demoting, setDemoting] = useState();
    const assignRole = useAssignRole();
    const canEdit = can('members:write');
    const isEditable = ({ role }) => canEdit && (role !== 'owner' || ownRole === 'owner');
    async function change(member, role) {
        if (role === 'member' && member.role !== 'member')
            setDemoting(member);
        else
            await assignRole(member, role);
    }
    return (_jsxs(_Fragment, { children: [_jsx(SettingsSection, { title: "Members", description: memberText.ofWorkspace, action: canEdit && _jsx(Button, { onClick: open, children: "Invite a person" }), children: _jsx(Loaded, { query: query, children: (members) => (_jsx(ItemList, { label: "Members", children: members.map((member) => (_jsx(MemberItem, { member: member, isSelf: member.id === user.id, canGrantOwner: ownRole === 'owner', onChange: isEditable(member) ? (role) => change(member, role) : undefined, onRemove: isEditable(member) ? () => setRemoving(member) : undefined }, member.id))) })) }) }), _jsx(InvitationList, {}), isInviting && _jsx(InviteDialog, { onClose: close }), removing !== undefined && (_jsx(RemoveMemberDialog, { member: removing, onClose: () => setRemoving(undefined) })), demoting !== undefined && (_jsx(ConfirmDialog, { title: `Make ${demoting.name} a member?`, confirmLabel: "Change role", isDangerous: true, onConfirm: () => assignRole(demoting, 'member'), onClose: () => setDemoting(undefined), children: memberText.demote }))] }));
}
/** Returns a function that changes the role of a member and offers to take that back if nothing else was lost. */
function useAssignRole() {
    const queryClient = useQueryClient();
    return async function assign(member, role) {
        const { message } = await api.updateWorkspaceMember({ user_id: member.id, body: { role } });
        const isDemoted = role === 'member';
        if (isDemoted)
            showDone(message);
        else
            showUndo(`${member.name} is now ${role === 'owner' ? 'an owner' : 'an admin'}.`, () => {
                void api
                    .updateWorkspaceMember({ user_id: member.id, body: { role: member.role } })
                    .finally(() => queryClient.invalidateQueries({ queryKey: workspaceMembersQuery.queryKey }));
            });
        await queryClient.invalidateQueries({ queryKey: workspaceMembersQuery.queryKey });
    };
}
function MemberItem({ member, isSelf, canGrantOwner, onChange, onRemove }) {
    const { name, email, profile_photo_url: photo, role, added_at: addedAt } = member;
    return (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: name, url: photo, size: 32, round: true }), title: _jsxs(_Fragment, { children: [name, isSelf && _jsx(StateBadge, { children: "You" })] }), detail: _jsxs(_Fragment, { children: [_jsx("span", { children: email }), _jsxs("span", { children: ["joined ", _jsx(RelativeTime, { time: addedAt })] })] }), end: onChange === undefined ? (roleLabel(role)) : (_jsx(RoleSelect, { name: name, value: role, roles: workspaceRoles.filter(({ value }) => value !== 'owner' || canGrantOwner), onChange: onChange })), menu: onRemove !== undefined && (_jsx(RowMenu, { label: `Actions for ${name}`, children: _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconUserMinus, { size: 16 }), onClick: onRemove, children: isSelf ? 'Leave the workspace' : 'Remove' }) })) }));
}
function RemoveMemberDialog({ member, onClose }) {
    const queryClient = useQueryClient();
    return (_jsxs(ConfirmDialog, { title: `Remove ${member.name}?`, confirmLabel: "Remove", isDangerous: true, onClose: onClose, onConfirm: async () => {
            const { message } = await api.deleteWorkspaceMember({ user_id: member.id });
            showDone(message);
            await queryClient.invalidateQueries({ queryKey: ['workspace'] });
        }, children: [memberText.remove, " ", member.role !== 'member' && memberText.removePrivileged] }));
}
