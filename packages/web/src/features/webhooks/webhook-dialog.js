import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldErrorsOf } from '../../api/errors.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { showDone } from '../../ui/toast.tsx';
import { SamplePreview } from './sample-preview.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { generateSecret } from './signature.ts';
import classes from './webhook-dialog.module.css';
import { WebhookFields } from './webhook-fields.tsx';
import { fieldsOf, isSigned } from './webhook-form.ts';
/** Creates or edits a webhook, with a preview of what it sends. A generated secret is shown once afterwards. */
export function WebhookDialog({ applicationId, webhook, onClose }) {
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    const [created, setCreated] = useState();
    const form = useForm({ initialValues: fieldsOf(webhook) });
    const save = useMutation({
        mutationFn: async ({ values, secret }) => {
            const { url, event, format, stream, label } = values;
            const body = { url, event, format, stream, label, description: values.description || null };
            return webhook === undefined
                ? api.createWebhook({
                    application_id: applicationId,
                    body: { ...body, ...(secret === undefined ? {} : { secret }) },
                })
                : api.updateWebhook({ application_id: applicationId, webhook_id: webhook.id, body });
        },
        onSuccess: async ({ data }, { secret }) => {
            await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'webhooks'] });
            if (webhook === undefined && secret !== undefined && form.values.secretKind === 'generated')
                return setCreated({ webhook: data, secret });
            finish(data);
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
    });
    const finish = (saved) => {
        onClose();
        showDone(webhook === undefined ? 'Webhook created.' : 'Webhook saved.');
        if (webhook === undefined)
            void navigate({
                to: '/applications/$applicationId/webhooks/$webhookId',
                params: { applicationId, webhookId: saved.id },
            });
    };
    if (created !== undefined)
        return _jsx(SecretDialog, { secret: created.secret, onClose: () => finish(created.webhook) });
    const { event, format } = form.values;
    const unplaced = save.error !== null && Object.keys(fieldErrorsOf(save.error)).length === 0;
    return (_jsx(Modal, { opened: true, onClose: onClose, title: webhook === undefined ? 'New webhook' : 'Edit webhook', size: "62rem", classNames: { body: classes.body }, children: _jsxs("form", { className: classes.columns, onSubmit: form.onSubmit((values) => save.mutate({ values, secret: secretFor(values) })), children: [_jsxs("div", { className: classes.fields, children: [_jsx(WebhookFields, { applicationId: applicationId, form: form, isNew: webhook === undefined }), unplaced && _jsx(FailureBanner, { error: save.error }), _jsxs(Group, { justify: "flex-end", gap: "xs", className: classes.buttons, children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { type: "submit", loading: save.isPending, children: webhook === undefined ? 'Create webhook' : 'Save' })] })] }), _jsx(SamplePreview, { applicationId: applicationId, event: event, format: format })] }) }));
}
function secretFor(values) {
    if (!isSigned(values))
        return undefined;
    return values.secretKind === 'generated' ? generateSecret() : values.secret;
}
