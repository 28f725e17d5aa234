import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { streamText } from '../../../text/stream.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showDone } from '../../../ui/toast.tsx';
/** Asks to which stream the builds move before a stream is deleted. */
export function DeleteStreamDialog({ applicationId, stream, others, buildCount, onClose }) {
    const [target, setTarget] = useState(others[0]?.id ?? null);
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    return (_jsx(ConfirmDialog, { title: `Delete the stream ${stream.name}`, confirmLabel: "Delete stream", isDangerous: true, onClose: onClose, onConfirm: async () => {
            const { message } = await api.deleteStream({
                application_id: applicationId,
                stream_identifier: stream.id,
                ...(target === null ? {} : { move_to: target }),
            });
            await navigate({ to: '/applications/$applicationId/streams', params: { applicationId } });
            await queryClient.invalidateQueries({ queryKey: ['applications', applicationId] });
            showDone(message);
        }, children: _jsxs(Stack, { gap: "sm", children: [buildCount > 0 && _jsx(Text, { fz: "sm", children: streamText.remove.move(buildCount) }), _jsx(Select, { label: "Move builds and unfinished uploads to", data: others.map(({ id, name }) => ({ value: id, label: name })), value: target, onChange: setTarget, allowDeselect: buildCount === 0, "data-autofocus": true }), _jsx(Text, { fz: "sm", c: "dimmed", children: streamText.remove.consequences })] }) }));
}
