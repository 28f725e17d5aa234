import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Table, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { QuaysideError } from '@quayside/sdk';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { exchangeHints, publisherText } from '../../text/trusted-publishers.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import classes from './check-token-dialog.module.css';
import { compareClaims, decodeClaims } from './compare-claims.ts';
/** Exchanges a token of a CI run and explains, claim by claim, why it is accepted or refused. */
export function CheckTokenDialog({ publisher, onClose, }) {
    const [result, setResult] = useState();
    const [claims, setClaims] = useState();
    const form = useForm({
        initialValues: { token: '' },
        validate: { token: (token) => (decodeClaims(token) === undefined ? publisherText.notJwt : null) },
    });
    async function check(token) {
        setClaims(compareClaims(publisher, decodeClaims(token) ?? {}));
        try {
            const { data } = await api.exchangeToken({
                body: { token: token.trim(), application_id: publisher.application_id },
            });
            setResult({ scopes: data.scopes });
        }
        catch (error) {
            if (!(error instanceof QuaysideError) || !error.code.startsWith('oidc.'))
                throw error;
            setResult({ message: error.message, hint: exchangeHints[error.code] });
        }
    }
    return (_jsxs(FormDialog, { title: `Check a token for ${publisher.name}`, submitLabel: "Check", size: "lg", form: form, onClose: onClose, onSubmit: ({ token }) => check(token), children: [_jsx(Textarea, { label: "Token", description: publisherText.check, minRows: 4, maxRows: 8, autosize: true, spellCheck: false, "data-autofocus": true, ...form.getInputProps('token') }), result !== undefined && _jsx(ResultNote, { result: result }), claims !== undefined && _jsx(ClaimTable, { claims: claims })] }));
}
function ResultNote({ result }) {
    if ('scopes' in result)
        return (_jsxs(Note, { tone: "good", icon: _jsx(IconCheck, { size: 18 }), children: [publisherText.accepted, " Its scopes: ", result.scopes.join(', '), "."] }));
    return (_jsxs(Note, { tone: "bad", icon: _jsx(IconX, { size: 18 }), children: [_jsx("strong", { children: result.message }), " ", result.hint] }));
}
function ClaimTable({ claims }) {
    return (_jsxs(Table, { layout: "fixed", className: classes.claims, children: [_jsx(Table.Thead, { children: _jsxs(Table.Tr, { children: [_jsx(Table.Th, { children: "Claim" }), _jsx(Table.Th, { children: "Required" }), _jsx(Table.Th, { children: "In the token" })] }) }), _jsx(Table.Tbody, { children: claims.map(({ name, required, actual, isMatch }) => (_jsxs(Table.Tr, { children: [_jsxs(Table.Td, { children: [isMatch ? (_jsx(IconCheck, { size: 14, color: "var(--q-good)", "aria-label": "Matches" })) : (_jsx(IconX, { size: 14, color: "var(--q-bad)", "aria-label": "Differs" })), ' ', _jsx("code", { children: name })] }), _jsx(Table.Td, { children: required }), _jsx(Table.Td, { children: actual })] }, name))) })] }));
}
