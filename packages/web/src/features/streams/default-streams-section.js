import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconGitBranch, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { settingsText } from '../../text/settings.ts';
import { plural } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { defaultStreamsQuery } from './default-stream.queries.ts';
/** The streams that every new application gets. */
export function DefaultStreamsSection() {
    const query = useQuery(defaultStreamsQuery);
    const canEdit = useSession().can('workspace:write');
    const queryClient = useQueryClient();
    const [dialog, setDialog] = useState();
    const close = () => setDialog(undefined);
    return (_jsxs(SettingsSection, { title: "Default streams", description: settingsText.defaultStreams, action: canEdit && _jsx(Button, { onClick: () => setDialog({ type: 'new' }), children: "New default stream" }), children: [_jsx(Loaded, { query: query, children: (streams) => streams.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconGitBranch, { size: 22 }), title: "No default streams", children: settingsText.noDefaultStreams })) : (_jsx(ItemList, { label: "Default streams", children: streams.map((stream) => (_jsx(StreamItem, { stream: stream, onOpen: canEdit ? (type) => setDialog({ type, stream }) : undefined }, stream.id))) })) }), dialog?.type === 'delete' && (_jsx(ConfirmDialog, { title: `Delete the default stream ${dialog.stream.name}?`, confirmLabel: "Delete default stream", isDangerous: true, onClose: close, onConfirm: async () => {
                    const { message } = await api.deleteDefaultStream({ default_stream_id: dialog.stream.id });
                    showDone(message);
                    await queryClient.invalidateQueries(defaultStreamsQuery);
                }, children: settingsText.deleteDefaultStream })), (dialog?.type === 'new' || dialog?.type === 'edit') && (_jsx(StreamDialog, { stream: dialog.type === 'edit' ? dialog.stream : undefined, onClose: close }))] }));
}
function StreamItem({ stream, onOpen }) {
    const { name, description, retention_days: days } = stream;
    return (_jsx(Item, { leading: _jsx(IconGitBranch, { size: 18 }), title: name, detail: description, end: days === null ? 'Builds are kept' : `Builds are kept for ${plural(days, 'day')}`, menu: onOpen !== undefined && (_jsxs(RowMenu, { label: `Actions for ${name}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onOpen('edit'), children: "Edit" }), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onOpen('delete'), children: "Delete" })] })) }));
}
function StreamDialog({ stream, onClose }) {
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: {
            name: stream?.name ?? '',
            description: stream?.description ?? '',
            retention_days: stream?.retention_days ?? '',
        },
    });
    return (_jsxs(FormDialog, { title: stream === undefined ? 'New default stream' : `Default stream ${stream.name}`, submitLabel: stream === undefined ? 'Create default stream' : 'Save', form: form, onClose: onClose, onSubmit: async ({ name, description, retention_days: days }) => {
            const body = {
                name,
                description: description === '' ? null : description,
                retention_days: days === '' ? null : Number(days),
            };
            await (stream === undefined
                ? api.createDefaultStream({ body })
                : api.updateDefaultStream({ default_stream_id: stream.id, body }));
            await queryClient.invalidateQueries(defaultStreamsQuery);
            onClose();
        }, children: [_jsx(TextInput, { label: "Name", ...form.getInputProps('name'), "data-autofocus": true, autoComplete: "off" }), _jsx(NumberInput, { label: "Retention", description: settingsText.retention, allowDecimal: false, allowNegative: false, suffix: " days", ...form.getInputProps('retention_days') }), _jsx(Textarea, { label: "Description", autosize: true, minRows: 2, ...form.getInputProps('description') })] }));
}
