import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Checkbox, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { apiKeyText } from '../../text/api-keys.ts';
import { plural } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showDone } from '../../ui/toast.tsx';
import { apiKeysQuery } from './api-key.queries.ts';
/** Revokes a key, and on request everything that it created. */
export function RevokeKeyDialog({ apiKey, descendants, onClose }) {
    const [isWithDescendants, setIsWithDescendants] = useState(descendants.length > 0);
    const queryClient = useQueryClient();
    const { id, name, application_id: applicationId } = apiKey;
    async function revoke() {
        const params = { api_key_id: id, descendants: isWithDescendants };
        const { message } = applicationId === null
            ? await api.deleteWorkspaceApiKey(params)
            : await api.deleteApplicationApiKey({ application_id: applicationId, ...params });
        showDone(message);
        await Promise.all([
            queryClient.invalidateQueries({ queryKey: apiKeysQuery(applicationId ?? undefined).queryKey }),
            queryClient.invalidateQueries({ queryKey: ['applications'], refetchType: 'none' }),
        ]);
    }
    return (_jsxs(ConfirmDialog, { title: `Revoke ${name}?`, confirmLabel: "Revoke key", isDangerous: true, onConfirm: revoke, onClose: onClose, children: [_jsx(Text, { children: apiKeyText.revoke }), _jsx(Checkbox, { mt: "md", label: apiKeyText.revokeDescendants, checked: isWithDescendants, onChange: (event) => setIsWithDescendants(event.currentTarget.checked) }), descendants.length > 0 && (_jsxs(Text, { fz: "sm", c: "dimmed", mt: 4, ml: 28, children: [plural(descendants.length, 'valid key'), ": ", descendants.map((each) => each.name).join(', ')] }))] }));
}
