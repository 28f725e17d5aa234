import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { IconArrowUp, IconPencil, IconTag, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { labelText } from '../../text/labels.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { LabelDot } from '../../ui/label-dot.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { deleteLabel, labelListQuery } from './label.queries.ts';
/** The labels of an application, or of the workspace without an ID. */
export function LabelsSection({ applicationId }) {
    const query = useQuery(labelListQuery(applicationId));
    const { can } = useSession();
    const [dialog, setDialog] = useState();
    const canEdit = applicationId === undefined ? can('workspace:write') : can('application:write', applicationId);
    return (_jsxs(SettingsSection, { title: "Labels", description: applicationId === undefined ? labelText.ofWorkspace : labelText.ofApplication, action: canEdit && _jsx(Button, { onClick: () => setDialog({ type: 'new' }), children: "New label" }), children: [_jsx(Loaded, { query: query, children: (labels) => labels.length === 0 ? (_jsx(NoLabels, { applicationId: applicationId })) : (_jsx(ItemList, { label: "Labels", children: labels.map((label) => (_jsx(LabelItem, { label: label, isInherited: applicationId !== undefined && label.level === 'workspace', canEdit: canEdit, canPromote: applicationId !== undefined && can('workspace:write'), onOpen: (type) => setDialog({ type, label }) }, label.id))) })) }), dialog !== undefined && (_jsx(LabelDialogs, { applicationId: applicationId, dialog: dialog, onClose: () => setDialog(undefined) }))] }));
}
function LabelDialogs({ applicationId, dialog, onClose }) {
    const queryClient = useQueryClient();
    const refresh = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === 'labels' });
    if (dialog.type === 'new' || dialog.type === 'edit')
        return (_jsx(LabelDialog, { applicationId: applicationId, label: dialog.type === 'edit' ? dialog.label : undefined, onSaved: refresh, onClose: onClose }));
    const { id, name } = dialog.label;
    const isDelete = dialog.type === 'delete';
    return (_jsx(ConfirmDialog, { title: isDelete ? `Delete the label ${name}?` : `Move the label ${name} to the workspace?`, confirmLabel: isDelete ? 'Delete label' : 'Move to the workspace', isDangerous: isDelete, onClose: onClose, onConfirm: async () => {
            const { message } = isDelete
                ? await deleteLabel(applicationId, id)
                : await api.promoteLabel({ application_id: applicationId ?? '', label_identifier: id });
            showDone(message);
            await refresh();
        }, children: isDelete ? labelText.delete : labelText.promote }));
}
function LabelItem({ label, isInherited, canEdit, canPromote, onOpen }) {
    const { name, color, description } = label;
    return (_jsx(Item, { title: _jsx(LabelDot, { name: name, color: color }), detail: description, end: isInherited && labelText.fromWorkspace, menu: canEdit &&
            !isInherited && (_jsxs(RowMenu, { label: `Actions for ${name}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onOpen('edit'), children: "Edit" }), canPromote && (_jsx(Menu.Item, { leftSection: _jsx(IconArrowUp, { size: 16 }), onClick: () => onOpen('promote'), children: "Move to the workspace" })), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onOpen('delete'), children: "Delete" })] })) }));
}
function NoLabels({ applicationId }) {
    const target = applicationId === undefined ? ' --workspace' : ` --application ${applicationId}`;
    return (_jsx(EmptyState, { icon: _jsx(IconTag, { size: 22 }), title: "No labels yet", action: _jsx(CommandLine, { code: `quayside labels create qa-passed${target} --color "#30a46c"` }), children: labelText.none }));
}
