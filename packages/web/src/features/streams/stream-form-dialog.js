import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldErrorsOf } from '../../api/errors.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { showDone } from '../../ui/toast.tsx';
import { streamsQuery } from '../builds/build.queries.ts';
/** Creates a stream, or changes the name and description of one. Its retention is changed with the preview. */
export function StreamFormDialog({ applicationId, stream, onClose }) {
    const [name, setName] = useState(stream?.name ?? '');
    const [description, setDescription] = useState(stream?.description ?? '');
    const [days, setDays] = useState('');
    const [error, setError] = useState();
    const [isRunning, setIsRunning] = useState(false);
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    async function save() {
        setIsRunning(true);
        const fields = { name, description: description.trim() === '' ? null : description };
        try {
            if (stream === undefined)
                await api.createStream({
                    application_id: applicationId,
                    body: { ...fields, retention_days: days === '' ? null : Number(days) },
                });
            else
                await api.updateStream({
                    application_id: applicationId,
                    stream_identifier: stream.id,
                    body: fields,
                });
            await queryClient.invalidateQueries({ queryKey: streamsQuery(applicationId).queryKey });
            // The URL has the name of the stream.
            if (stream !== undefined)
                await navigate({
                    to: '/applications/$applicationId/streams',
                    params: { applicationId },
                    search: { stream: name.trim() },
                    replace: true,
                });
            showDone(stream === undefined ? 'Stream created.' : 'Stream updated.');
            onClose();
        }
        catch (failure) {
            setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    const errors = fieldErrorsOf(error);
    return (_jsx(Modal, { opened: true, onClose: onClose, title: stream === undefined ? 'New stream' : `Edit ${stream.name}`, children: _jsx("form", { onSubmit: (event) => {
                event.preventDefault();
                void save();
            }, children: _jsxs(Stack, { children: [_jsx(TextInput, { label: "Name", placeholder: "beta", value: name, maxLength: 100, onChange: (event) => setName(event.currentTarget.value), error: errors['name'], required: true, "data-autofocus": true }), _jsx(Textarea, { label: "Description", value: description, maxLength: 1000, autosize: true, minRows: 2, maxRows: 6, onChange: (event) => setDescription(event.currentTarget.value), error: errors['description'] }), stream === undefined && (_jsx(NumberInput, { label: "Keep builds for", description: "Leave it empty to keep builds forever.", suffix: " days", placeholder: "Forever", min: 1, max: 36500, allowDecimal: false, value: days, onChange: setDays, error: errors['retention_days'] })), error !== undefined && Object.keys(errors).length === 0 && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: isRunning, disabled: name.trim() === '', children: stream === undefined ? 'Create stream' : 'Save' })] })] }) }) }));
}
