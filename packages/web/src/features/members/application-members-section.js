import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Menu, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconUserMinus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { applicationRoles, memberText, roleLabel } from '../../text/members.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { applicationMembersQuery, workspaceMembersQuery } from './member.queries.ts';
import { RoleRadios } from './role-radios.tsx';
import { RoleSelect } from './role-select.tsx';
/** The members of an application with their roles. */
export function ApplicationMembersSection({ applicationId }) {
    const query = useQuery(applicationMembersQuery(applicationId));
    const { data: workspaceMembers = [] } = useQuery(workspaceMembersQuery);
    const { can } = useSession();
    const [isAdding, add] = useDisclosure();
    const [isInviting, invite] = useDisclosure();
    const { setRole, remove } = useMemberActions(applicationId);
    const canEdit = can('members:write', applicationId);
    const others = workspaceMembers.filter(({ id }) => query.data?.every((member) => member.id !== id) ?? false);
    return (_jsxs(_Fragment, { children: [_jsx(SettingsSection, { title: "Members", description: memberText.ofApplication, action: _jsxs(Group, { gap: "xs", children: [can('members:write') && (_jsx(Button, { variant: "default", onClick: invite.open, children: "Invite a person" })), can('applications:write') && (_jsx(Button, { onClick: add.open, disabled: others.length === 0, children: "Add a member" }))] }), children: _jsx(Loaded, { query: query, children: (members) => (_jsx(ItemList, { label: "Members", children: members.map((member) => (_jsx(MemberItem, { member: member, isInherited: member.role === 'owner' ||
                                workspaceMembers.some(({ id, role }) => id === member.id && role !== 'member'), canEdit: canEdit, onChange: (role) => setRole(member, role), onRemove: () => void remove(member).catch(showFailure) }, member.id))) })) }) }), can('members:write') && _jsx(InvitationList, { applicationId: applicationId }), isAdding && _jsx(AddMemberDialog, { applicationId: applicationId, people: others, onClose: add.close }), isInviting && _jsx(InviteDialog, { applicationId: applicationId, onClose: invite.close })] }));
}
/** Returns functions that change and remove members of an application and offer to take that back. */
function useMemberActions(applicationId) {
    const queryClient = useQueryClient();
    const { queryKey } = applicationMembersQuery(applicationId);
    const refresh = () => queryClient.invalidateQueries({ queryKey });
    const save = (userId, role) => api.updateApplicationMember({ application_id: applicationId, user_id: userId, body: { role } });
    const undo = (action) => () => {
        void action().catch(showFailure).finally(refresh);
    };
    return {
        async setRole({ id, name, resolved_role: before }, role) {
            await save(id, role);
            showUndo(`${name} now has the role ${roleLabel(role)}.`, undo(() => save(id, before)));
            await refresh();
        },
        async remove({ id, name, resolved_role: role }) {
            queryClient.setQueryData(queryKey, (members) => members?.filter((member) => member.id !== id));
            try {
                await api.deleteApplicationMember({ application_id: applicationId, user_id: id });
                const body = { user_id: id, role };
                showUndo(`${name} was removed from the application.`, undo(() => api.createApplicationMember({ application_id: applicationId, body })));
            }
            finally {
                await refresh();
            }
        },
    };
}
function MemberItem({ member, isInherited, canEdit, onChange, onRemove }) {
    const { name, email, profile_photo_url: photo, resolved_role: role } = member;
    return (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: name, url: photo, size: 32, round: true }), title: name, detail: _jsxs(_Fragment, { children: [_jsx("span", { children: email }), isInherited && _jsx("span", { children: memberText.inherited })] }), end: canEdit && !isInherited ? (_jsx(RoleSelect, { name: name, value: role, roles: applicationRoles, onChange: onChange })) : (roleLabel(member.role)), menu: canEdit &&
            !isInherited && (_jsx(RowMenu, { label: `Actions for ${name}`, children: _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconUserMinus, { size: 16 }), onClick: onRemove, children: "Remove from the application" }) })) }));
}
function AddMemberDialog({ applicationId, people, onClose }) {
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: { user_id: null, role: 'developer' },
        validate: { user_id: (id) => (id === null ? 'Select a member of the workspace.' : null) },
    });
    return (_jsxs(FormDialog, { title: "Add a member", submitLabel: "Add", form: form, onClose: onClose, onSubmit: async ({ user_id, role }) => {
            const body = { user_id: user_id ?? '', role };
            await api.createApplicationMember({ application_id: applicationId, body });
            await queryClient.invalidateQueries(applicationMembersQuery(applicationId));
            onClose();
        }, children: [_jsx(Select, { label: "Member", searchable: true, "data-autofocus": true, 
                // The list of options scrolls itself, because a scroll area around it cannot be focused.
                withScrollArea: false, styles: { options: { maxHeight: 240, overflowY: 'auto' } }, ...form.getInputProps('user_id'), data: people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })) }), _jsx(RoleRadios, { roles: applicationRoles, value: form.values.role, onChange: (role) => form.setFieldValue('role', role), error: form.errors['role'] })] }));
}
