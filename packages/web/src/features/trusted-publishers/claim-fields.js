import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { serviceUrl } from '../../api/client.ts';
import { publisherText } from '../../text/trusted-publishers.ts';
/** The issuer, the audience and the required claims of tokens from any issuer. */
export function ClaimFields({ form }) {
    const { claims } = form.values;
    return (_jsxs(_Fragment, { children: [_jsx(TextInput, { label: "Issuer", placeholder: "https://agent.buildkite.com", description: publisherText.issuer, "data-autofocus": true, ...form.getInputProps('issuer') }), _jsx(TextInput, { label: "Audience", placeholder: serviceUrl, description: publisherText.audience, ...form.getInputProps('audience') }), _jsxs(Input.Wrapper, { label: "Required claims", labelElement: "div", description: publisherText.claims, error: form.errors['claims'], children: [claims.map((_, index) => (_jsxs(Group, { gap: "xs", mt: 6, wrap: "nowrap", align: "start", children: [_jsx(TextInput, { "aria-label": `Name of claim ${index + 1}`, placeholder: "sub", w: "12rem", ...form.getInputProps(`claims.${index}.name`) }), _jsx(TextInput, { "aria-label": `Values of claim ${index + 1}`, placeholder: "organization:acme:pipeline:app:*", flex: 1, ...form.getInputProps(`claims.${index}.patterns`) }), _jsx(ActionIcon, { variant: "subtle", color: "gray", mt: 4, "aria-label": `Remove claim ${index + 1}`, disabled: claims.length === 1, onClick: () => form.removeListItem('claims', index), children: _jsx(IconX, { size: 16 }) })] }, index))), _jsx(Button, { variant: "subtle", size: "xs", mt: 6, leftSection: _jsx(IconPlus, { size: 14 }), onClick: () => form.insertListItem('claims', { name: '', patterns: '' }), children: "Add a claim" })] })] }));
}
