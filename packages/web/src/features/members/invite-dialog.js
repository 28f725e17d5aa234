import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMail } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { applicationRoles, memberText, workspaceRoles } from '../../text/members.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { applicationsQuery } from '../applications/application.queries.ts';
import { invitationsQuery } from './member.queries.ts';
import { RoleRadios } from './role-radios.tsx';
/** Invites a person to the workspace or to one application, then shows the link if no email can be sent. */
export function InviteDialog({ applicationId, onClose }) {
    const [created, setCreated] = useState();
    const { role: ownRole } = useSession();
    const { data: applications } = useSuspenseQuery(applicationsQuery);
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: {
            email: '',
            role: applicationId === undefined ? 'member' : 'developer',
            application_id: applicationId ?? '',
        },
    });
    if (created !== undefined)
        return _jsx(InvitationLink, { invitation: created, onClose: onClose });
    const isToWorkspace = form.values.application_id === '';
    const roles = isToWorkspace
        ? workspaceRoles.filter(({ value }) => value !== 'owner' || ownRole === 'owner')
        : applicationRoles;
    return (_jsxs(FormDialog, { title: "Invite a person", submitLabel: "Invite", form: form, onClose: onClose, onSubmit: async ({ application_id, ...values }) => {
            const body = { ...values, application_id: application_id === '' ? null : application_id };
            setCreated((await api.createInvitation({ body })).data);
            await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
        }, children: [_jsx(TextInput, { label: "Email", type: "email", autoComplete: "off", "data-autofocus": true, ...form.getInputProps('email') }), _jsx(NativeSelect, { label: "Access to", ...form.getInputProps('application_id'), onChange: ({ currentTarget: { value } }) => form.setValues({ application_id: value, role: value === '' ? 'member' : 'developer' }), data: [
                    { value: '', label: 'The workspace' },
                    {
                        group: 'One application',
                        items: applications.map(({ id, name }) => ({ value: id, label: name })),
                    },
                ] }), _jsx(RoleRadios, { roles: roles, value: form.values.role, onChange: (role) => form.setFieldValue('role', role), error: form.errors['role'] })] }));
}
/** Shows that an invitation was sent, or its link if the server cannot send email. */
export function InvitationLink({ invitation: { email, url }, onClose, }) {
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `Invitation to ${email}`, children: _jsxs(Stack, { children: [_jsx(Note, { tone: url === null ? 'good' : 'warn', icon: _jsx(IconMail, { size: 18 }), children: url === null ? memberText.sent : memberText.linkOnly }), url !== null && _jsx(CommandLine, { code: url, label: "invitation link" }), _jsx(Group, { justify: "flex-end", children: _jsx(Button, { onClick: onClose, "data-autofocus": true, children: "Done" }) })] }) }));
}
