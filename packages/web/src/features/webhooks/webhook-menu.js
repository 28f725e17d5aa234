import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash, } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { webhookText } from '../../text/webhooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { generateSecret } from './signature.ts';
import { useWebhookActions } from './use-webhook-actions.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { webhookName } from './webhook-health.ts';
/** Everything that can be done with a webhook. Empty for people who may only read it. */
export function WebhookMenu({ webhook, onDeleted }) {
    const { can } = useSession();
    const { toggle, test, rotate, remove, reload } = useWebhookActions(webhook);
    const [opened, setOpened] = useState();
    const close = () => setOpened(undefined);
    if (!can('webhooks:write', webhook.application_id))
        return null;
    const name = webhookName(webhook);
    return (_jsxs(_Fragment, { children: [_jsxs(Menu, { position: "bottom-end", children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `Actions for ${name}`, children: _jsx(IconDots, { size: 18 }) }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Item, { leftSection: _jsx(IconSend, { size: 15 }), onClick: () => test.mutate(), children: "Send a test" }), _jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 15 }), onClick: () => setOpened('edit'), children: "Edit" }), _jsx(Menu.Item, { leftSection: _jsx(IconKey, { size: 15 }), onClick: () => setOpened('rotate'), children: webhook.secret_configured ? 'Rotate the secret' : 'Add a secret' }), _jsx(Menu.Item, { leftSection: webhook.is_active ? _jsx(IconPlayerPause, { size: 15 }) : _jsx(IconPlayerPlay, { size: 15 }), onClick: toggle, children: webhook.is_active ? 'Switch off' : 'Switch on' }), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 15 }), onClick: () => setOpened('delete'), children: "Delete" })] })] }), opened === 'edit' && (_jsx(WebhookDialog, { applicationId: webhook.application_id, webhook: webhook, onClose: close })), opened === 'rotate' && (_jsxs(ConfirmDialog, { title: webhook.secret_configured ? 'Rotate the secret' : 'Add a secret', confirmLabel: "Generate a secret", onConfirm: async () => {
                    const secret = generateSecret();
                    await rotate(secret);
                    setOpened({ secret });
                }, 
                // The dialog also closes after it has succeeded, when the secret is already shown.
                onClose: () => setOpened((current) => (current === 'rotate' ? undefined : current)), children: [webhookText.rotate, " ", webhook.secret_configured && webhookText.rotation] })), opened === 'delete' && (_jsx(ConfirmDialog, { title: `Delete ${name}?`, confirmLabel: "Delete webhook", isDangerous: true, onConfirm: async () => {
                    await remove();
                    onDeleted?.();
                    await reload();
                }, onClose: close, children: webhookText.deleteWebhook })), typeof opened === 'object' && _jsx(SecretDialog, { secret: opened.secret, onClose: close })] }));
}
