import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { QuaysideError } from '@quayside/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, serviceUrl } from '../../api/client.ts';
import { publisherText } from '../../text/trusted-publishers.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { ScopePicker } from '../../ui/scope-picker.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { claimsOf, emptyForm, formOf, githubIssuer, gitlabIssuer } from './publisher-form.ts';
import { SnippetDialog } from './snippet-dialog.tsx';
import { SourceFields } from './source-fields.tsx';
import { trustedPublishersQuery } from './trusted-publisher.queries.ts';
const providers = [
    { value: 'github', label: 'GitHub Actions', issuer: githubIssuer },
    { value: 'gitlab', label: 'GitLab CI', issuer: gitlabIssuer },
    { value: 'other', label: 'Another issuer', issuer: '' },
];
/** Asks which CI runs may get keys, and shows the CI configuration afterwards. */
export function PublisherDialog({ applicationId, publisher, onClose }) {
    const [saved, setSaved] = useState();
    const queryClient = useQueryClient();
    const form = useForm({
        initialValues: publisher === undefined ? emptyForm : formOf(publisher, serviceUrl),
        validate: {
            repository: (text, { provider, repositoryId }) => provider !== 'other' && text.trim() === '' && repositoryId.trim() === ''
                ? 'Enter the repository or its ID.'
                : null,
            issuer: (text) => (text.trim() === '' ? 'Enter the URL of the issuer.' : null),
            scopes: (scopes) => (scopes.length === 0 ? 'Select at least one scope.' : null),
        },
    });
    if (saved !== undefined)
        return _jsx(SnippetDialog, { publisher: saved, onClose: onClose });
    const { provider, repository, branches, tags, environment } = form.values;
    const isAnyRef = repository !== '' &&
        provider !== 'other' &&
        branches.length + tags.length === 0 &&
        environment.trim() === '';
    return (_jsxs(FormDialog, { title: publisher === undefined ? 'New trusted publisher' : `Trusted publisher ${publisher.name}`, submitLabel: publisher === undefined ? 'Create trusted publisher' : 'Save', size: "lg", form: form, onClose: onClose, onSubmit: async (values) => {
            const { name, repository, issuer, audience, scopes } = values;
            const body = {
                name: name.trim() === '' && repository !== '' ? repository : name,
                issuer,
                audience: audience.trim() === '' ? serviceUrl : audience,
                claims: claimsOf(values),
                scopes,
            };
            try {
                const path = { application_id: applicationId };
                const { data } = publisher === undefined
                    ? await api.createTrustedPublisher({ ...path, body })
                    : await api.updateTrustedPublisher({ ...path, trusted_publisher_id: publisher.id, body });
                await queryClient.invalidateQueries(trustedPublishersQuery(applicationId));
                setSaved(data);
            }
            catch (error) {
                throw provider === 'other' ? error : atRepository(error);
            }
        }, children: [_jsx(SegmentedControl, { fullWidth: true, "aria-label": "Issuer", value: provider, data: providers, onChange: (value) => {
                    const next = providers.find((each) => each.value === value);
                    if (next !== undefined)
                        form.setValues({ provider: next.value, issuer: next.issuer });
                } }), _jsxs(Stack, { children: [provider === 'other' ? (_jsx(ClaimFields, { form: form })) : (_jsx(SourceFields, { form: form, provider: provider })), isAnyRef && _jsx(Note, { tone: "warn", children: publisherText.anyRef }), _jsx(TextInput, { label: "Name", placeholder: form.values.repository === '' ? 'Release workflow' : form.values.repository, ...form.getInputProps('name') }), _jsx(ScopePicker, { kind: "application", value: form.values.scopes, onChange: (scopes) => form.setFieldValue('scopes', scopes), error: form.errors['scopes'] }), publisher !== undefined && _jsx(Note, { children: publisherText.edited })] })] }));
}
/** Moves the errors of single claims to the field for the repository, because the form does not show claims. */
function atRepository(error) {
    if (!(error instanceof QuaysideError))
        return error;
    const entries = Object.entries(error.errors).map(([path, messages]) => [path.startsWith('claims') ? 'repository' : path, messages]);
    return new QuaysideError(error.status, error.message, {
        code: error.code,
        requestId: error.requestId,
        errors: Object.fromEntries(entries),
    });
}
