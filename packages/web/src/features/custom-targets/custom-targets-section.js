import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Box, Button, Menu } from '@mantine/core';
import { IconArrowUp, IconDeviceDesktopCog, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { customTargetText } from '../../text/custom-targets.ts';
import { platforms as allPlatforms } from '../../text/platforms.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Note } from '../../ui/note.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { platformsQuery } from '../builds/build.queries.ts';
import { workspaceQuery } from '../workspace/workspace.queries.ts';
import { CustomTargetDialog } from './custom-target-dialog.tsx';
import { customTargetListQuery, deleteCustomTarget } from './custom-target.queries.ts';
import { CustomTargetsSwitch } from './custom-targets-switch.tsx';
/** The custom targets of an application, or of the workspace without an ID. */
export function CustomTargetsSection({ applicationId }) {
    const query = useQuery(customTargetListQuery(applicationId));
    const { data: workspace } = useQuery(workspaceQuery);
    const { can } = useSession();
    const [dialog, setDialog] = useState();
    const isWorkspace = applicationId === undefined;
    const canEdit = isWorkspace ? can('workspace:write') : can('application:write', applicationId);
    const isOn = workspace?.custom_targets_enabled !== false;
    return (_jsxs(SettingsSection, { title: "Custom targets", description: isWorkspace ? customTargetText.ofWorkspace : customTargetText.ofApplication, action: canEdit && isOn && _jsx(Button, { onClick: () => setDialog({ type: 'new' }), children: "New custom target" }), children: [isWorkspace && workspace !== undefined && _jsx(CustomTargetsSwitch, { workspace: workspace }), !isWorkspace && !isOn && (_jsx(Box, { mb: "md", children: _jsx(Note, { tone: "warn", children: customTargetText.off }) })), _jsx(Loaded, { query: query, children: (targets) => targets.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconDeviceDesktopCog, { size: 22 }), title: "No custom targets yet", children: customTargetText.none })) : (_jsx(ItemList, { label: "Custom targets", children: targets.map((target) => (_jsx(TargetItem, { target: target, isInherited: !isWorkspace && target.level === 'workspace', canEdit: canEdit, canPromote: !isWorkspace && can('workspace:write'), onOpen: (type) => setDialog({ type, id: target.id }) }, target.id))) })) }), dialog !== undefined && (_jsx(TargetDialogs, { applicationId: applicationId, dialog: dialog, target: dialog.type === 'new' ? undefined : query.data?.find((each) => each.id === dialog.id), onClose: () => setDialog(undefined) }))] }));
}
function TargetDialogs({ applicationId, dialog, target, onClose }) {
    const queryClient = useQueryClient();
    const own = useQuery({ ...platformsQuery(applicationId ?? ''), enabled: applicationId !== undefined });
    const refresh = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === 'custom-targets' });
    const platforms = applicationId === undefined ? allPlatforms : own.data;
    if (dialog.type === 'new' || dialog.type === 'edit')
        // The form starts with the first platform, so it has to wait for the list.
        return platforms === undefined ? null : (_jsx(CustomTargetDialog, { applicationId: applicationId, target: target, platforms: platforms, onSaved: refresh, onClose: onClose }));
    if (target === undefined)
        return null;
    const isDelete = dialog.type === 'delete';
    return (_jsx(ConfirmDialog, { title: isDelete ? `Delete ${target.name}?` : `Move ${target.name} to the workspace?`, confirmLabel: isDelete ? 'Delete custom target' : 'Move to the workspace', isDangerous: isDelete, onClose: onClose, onConfirm: async () => {
            const path = { application_id: applicationId ?? '', target_identifier: target.id };
            const { message } = isDelete
                ? await deleteCustomTarget(applicationId, target.id)
                : await api.promoteCustomTarget(path);
            showDone(message);
            await refresh();
        }, children: isDelete ? customTargetText.delete : customTargetText.promote }));
}
function TargetItem({ target, isInherited, canEdit, canPromote, onOpen }) {
    const { name, description, platform, icon_url: url } = target;
    return (_jsx(Item, { leading: url === null ? (_jsx(PlatformIcon, { platform: platform, size: 24 })) : (_jsx(ApplicationIcon, { name: name, url: url, size: 28 })), title: name, detail: _jsxs(_Fragment, { children: [_jsx("span", { children: platform.name }), description !== null && _jsx("span", { children: description })] }), end: isInherited && customTargetText.fromWorkspace, menu: canEdit &&
            !isInherited && (_jsxs(RowMenu, { label: `Actions for ${name}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onOpen('edit'), children: "Edit" }), canPromote && (_jsx(Menu.Item, { leftSection: _jsx(IconArrowUp, { size: 16 }), onClick: () => onOpen('promote'), children: "Move to the workspace" })), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onOpen('delete'), children: "Delete" })] })) }));
}
