import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, serviceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { publisherText } from '../../text/trusted-publishers.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { CheckTokenDialog } from './check-token-dialog.tsx';
import { PublisherDialog } from './publisher-dialog.tsx';
import { PublisherItem } from './publisher-item.tsx';
import { SnippetDialog } from './snippet-dialog.tsx';
import { trustedPublishersQuery } from './trusted-publisher.queries.ts';
/** The CI runs that get short-lived keys of an application without a stored secret. */
export function TrustedPublishersSection({ applicationId }) {
    const query = useQuery(trustedPublishersQuery(applicationId));
    const { can } = useSession();
    const [dialog, setDialog] = useState();
    const create = can('api_keys:create') && (_jsx(Button, { onClick: () => setDialog({ type: 'new' }), children: "New trusted publisher" }));
    return (_jsxs(SettingsSection, { title: "Trusted publishers", description: _jsxs(_Fragment, { children: [publisherText.section, ' ', _jsx("a", { href: `${serviceUrl}/docs/trusted-publishing`, children: "About trusted publishing" })] }), action: query.data?.length === 0 ? undefined : create, children: [_jsx(Loaded, { query: query, children: (publishers) => publishers.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconShieldCheck, { size: 22 }), title: "No trusted publishers yet", action: create, children: publisherText.none })) : (_jsx(ItemList, { label: "Trusted publishers", children: publishers.map((publisher) => (_jsx(PublisherItem, { publisher: publisher, canEdit: can('api_keys:write'), onOpen: (type) => setDialog({ type, publisher }) }, publisher.id))) })) }), dialog !== undefined && (_jsx(PublisherDialogs, { applicationId: applicationId, dialog: dialog, onClose: () => setDialog(undefined) }))] }));
}
function PublisherDialogs({ applicationId, dialog, onClose }) {
    const queryClient = useQueryClient();
    if (dialog.type === 'new')
        return _jsx(PublisherDialog, { applicationId: applicationId, onClose: onClose });
    const { publisher } = dialog;
    if (dialog.type === 'edit')
        return _jsx(PublisherDialog, { applicationId: applicationId, publisher: publisher, onClose: onClose });
    if (dialog.type === 'snippet')
        return _jsx(SnippetDialog, { publisher: publisher, onClose: onClose });
    if (dialog.type === 'check')
        return _jsx(CheckTokenDialog, { publisher: publisher, onClose: onClose });
    return (_jsx(ConfirmDialog, { title: `Delete ${publisher.name}?`, confirmLabel: "Delete trusted publisher", isDangerous: true, onClose: onClose, onConfirm: async () => {
            const { message } = await api.deleteTrustedPublisher({
                application_id: applicationId,
                trusted_publisher_id: publisher.id,
            });
            showDone(message);
            await queryClient.invalidateQueries(trustedPublishersQuery(applicationId));
        }, children: publisherText.delete }));
}
