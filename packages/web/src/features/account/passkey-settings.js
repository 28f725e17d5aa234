import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu } from '@mantine/core';
import { IconFingerprint, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasPasskeys } from '../../api/passkeys.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { passkeysQuery } from './account.queries.ts';
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
/** Adds, renames and deletes passkeys. */
export function PasskeySettings() {
    const query = useQuery(passkeysQuery);
    const queryClient = useQueryClient();
    const [open, setOpen] = useState();
    const close = () => setOpen(undefined);
    const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
    async function remove({ id }) {
        await callSignIn('/passkey/delete-passkey', { id });
        await refresh();
        showDone('Passkey deleted.');
    }
    const add = (_jsx(Button, { variant: "default", leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setOpen({ dialog: 'add' }), disabled: !hasPasskeys, title: hasPasskeys ? undefined : accountText.noPasskeys, children: "Add a passkey" }));
    return (_jsxs(SettingsSection, { title: "Passkeys", description: accountText.passkeys, action: add, children: [_jsx(Loaded, { query: query, rows: 1, children: (passkeys) => passkeys.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconFingerprint, { size: 22 }), title: "No passkeys", children: accountText.passkeysEmpty })) : (_jsx(ItemList, { label: "Passkeys", children: passkeys.map((passkey) => (_jsx(Item, { leading: _jsx(IconFingerprint, { size: 20 }), title: passkey.name ?? 'Passkey', detail: _jsxs(_Fragment, { children: [_jsxs("span", { children: ["Added ", _jsx(RelativeTime, { time: passkey.createdAt })] }), _jsx("span", { children: passkey.backedUp ? 'Synced between devices' : 'On one device' })] }), menu: _jsxs(RowMenu, { label: `Actions for ${passkey.name ?? 'passkey'}`, children: [_jsx(Menu.Item, { onClick: () => setOpen({ dialog: 'rename', passkey }), children: "Rename" }), _jsx(Menu.Item, { color: "red", onClick: () => setOpen({ dialog: 'delete', passkey }), children: "Delete" })] }) }, passkey.id))) })) }), open?.dialog === 'add' && _jsx(AddPasskeyDialog, { onClose: close, onDone: refresh }), open?.dialog === 'rename' && (_jsx(RenamePasskeyDialog, { passkey: open.passkey, onClose: close, onDone: refresh })), open?.dialog === 'delete' && (_jsx(ConfirmDialog, { title: `Delete ${open.passkey.name ?? 'the passkey'}`, confirmLabel: "Delete passkey", isDangerous: true, onConfirm: () => remove(open.passkey), onClose: close, children: accountText.deletePasskey }))] }));
}
