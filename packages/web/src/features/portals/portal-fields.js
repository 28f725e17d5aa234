import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { portalText } from '../../text/portals.ts';
export const emptyPortal = { name: '', description: '', type: 'private', subdomain: '' };
export const portalValuesOf = ({ name, description, type, subdomain }) => ({
    name,
    description: description ?? '',
    type,
    subdomain: subdomain ?? '',
});
/** Returns the body of a request. An empty text removes the value. */
export const portalBodyOf = ({ name, description, type, subdomain }) => ({
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    type,
    subdomain: subdomain.trim() === '' ? null : subdomain.trim(),
});
/** The fields of a new portal and of its details. */
export function PortalFields({ form, isDisabled = false, }) {
    return (_jsxs(_Fragment, { children: [_jsx(TextInput, { label: "Name", required: true, maxLength: 100, disabled: isDisabled, "data-autofocus": true, ...form.getInputProps('name') }, form.key('name')), _jsx(Textarea, { label: "Description", autosize: true, minRows: 2, maxLength: 1000, disabled: isDisabled, ...form.getInputProps('description') }, form.key('description')), _jsx(Radio.Group, { label: "Visitors", ...form.getInputProps('type'), children: _jsxs(Stack, { gap: 8, mt: 6, children: [_jsx(Radio, { value: "public", label: "Public", description: portalText.types.public, disabled: isDisabled }), _jsx(Radio, { value: "private", label: "Private", description: portalText.types.private, disabled: isDisabled })] }) }, form.key('type')), _jsx(TextInput, { label: "Short name in the address", description: portalText.subdomain, maxLength: 63, disabled: isDisabled, ...form.getInputProps('subdomain') }, form.key('subdomain'))] }));
}
