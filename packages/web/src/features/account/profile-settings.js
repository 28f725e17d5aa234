import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Badge, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { accountText, roleNames } from '../../text/account.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { ImageField } from '../../ui/image-field.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import classes from './profile-settings.module.css';
/** The photo and the name of the person, who they are, and their workspaces. */
export function ProfileSettings() {
    const { user, workspace, workspaces } = useSession();
    const queryClient = useQueryClient();
    const form = useForm({ initialValues: { name: user.name } });
    const reload = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    return (_jsxs(_Fragment, { children: [_jsx(SettingsSection, { title: "Profile", description: accountText.profile, children: _jsxs(Stack, { children: [_jsx(ImageField, { label: "Photo", name: user.name, url: user.profile_photo_url, canEdit: true, onSave: async ({ content_type, data }) => {
                                await api.replaceUserPhoto({ body: { content_type, data } });
                                await reload();
                            }, onDelete: async () => {
                                await api.deleteUserPhoto({});
                                await reload();
                            } }), _jsx(SettingsForm, { form: form, canEdit: true, onSubmit: async (values) => {
                                const { data } = await api.updateUser({ body: values });
                                form.setValues({ name: data.name });
                                await reload();
                                showDone(accountText.saved);
                            }, children: _jsx(TextInput, { label: "Name", description: accountText.name, maxLength: 100, autoComplete: "name", ...form.getInputProps('name') }) }), _jsxs("dl", { className: classes.facts, children: [_jsx("dt", { children: "Email address" }), _jsxs("dd", { children: [_jsx(Copyable, { value: user.email, label: "email address" }), ' ', !user.email_verified && (_jsx(Badge, { variant: "default", tt: "none", fw: 500, title: accountText.notVerified, children: "Not verified" }))] }), _jsx("dt", { children: "User ID" }), _jsx("dd", { children: _jsx(Copyable, { value: user.id, label: "user ID", mono: true }) })] })] }) }), _jsx(SettingsSection, { title: "Workspaces", children: _jsx(ItemList, { label: "Workspaces", children: workspaces.map(({ id, name, logo_url: url, role }) => (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: name, url: url, size: 28 }), title: name, detail: roleNames[role], end: id === workspace.id ? 'Current' : undefined }, id))) }) })] }));
}
