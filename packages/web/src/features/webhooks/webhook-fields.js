import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { PasswordInput, Radio, SegmentedControl, Select, Stack, Text, Textarea, TextInput, } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventTexts, formatHelp, formatNames, webhookText } from '../../text/webhooks.ts';
import { labelsQuery, streamsQuery } from '../builds/build.queries.ts';
import classes from './webhook-dialog.module.css';
import { streamRule } from './webhook-form.ts';
import { isChatFormat, suggestedFormat } from './webhook-format.ts';
const events = Object.keys(eventTexts);
const eventGroups = [
    { group: 'Builds', items: events.filter((event) => event.startsWith('build.')) },
    { group: 'Releases', items: events.filter((event) => event.startsWith('release.')) },
].map(({ group, items }) => ({
    group,
    items: items.map((value) => ({ value, label: eventTexts[value].title })),
}));
const formats = Object.entries(formatNames).map(([value, label]) => ({
    value,
    label,
}));
/** The fields of a webhook. The format follows the URL until the person selects one. */
export function WebhookFields({ applicationId, form, isNew }) {
    const [hasSelectedFormat, setHasSelectedFormat] = useState(!isNew);
    const { data: streams = [] } = useQuery(streamsQuery(applicationId));
    const { data: labels = [] } = useQuery(labelsQuery(applicationId));
    const { event, format } = form.values;
    const rule = streamRule(event);
    const options = (items) => items.map(({ id, name }) => ({ value: id, label: name }));
    return (_jsxs(Stack, { gap: "md", children: [_jsx(TextInput, { label: "URL", placeholder: "https://example.com/hook", required: true, "data-autofocus": true, maxLength: 2000, ...form.getInputProps('url'), onChange: ({ currentTarget: { value } }) => {
                    form.setFieldValue('url', value);
                    if (!hasSelectedFormat)
                        form.setFieldValue('format', suggestedFormat(value));
                } }), _jsx(Textarea, { label: "Description", placeholder: "What the receiver does", autosize: true, minRows: 1, maxRows: 4, maxLength: 1000, ...form.getInputProps('description') }), _jsx(Select, { label: "Event", description: eventTexts[event].description, data: eventGroups, allowDeselect: false, maxDropdownHeight: 320, renderOption: ({ option }) => (_jsxs("div", { children: [_jsx(Text, { fz: "sm", children: option.label }), _jsx(Text, { fz: "xs", c: "dimmed", children: eventTexts[option.value].description })] })), ...form.getInputProps('event'), onChange: (value) => {
                    if (value === null)
                        return;
                    form.setFieldValue('event', value);
                    if (streamRule(value) === 'not allowed')
                        form.setFieldValue('stream', null);
                } }), _jsxs("div", { className: classes.narrowing, children: [rule !== 'not allowed' && (_jsx(Select, { label: "Only in the stream", placeholder: rule === 'required' ? 'Select a stream' : 'Any stream', required: rule === 'required', clearable: rule === 'optional', data: options(streams), searchable: true, ...form.getInputProps('stream') })), _jsx(Select, { label: "Only with the label", placeholder: "Any label", clearable: true, searchable: true, data: options(labels), ...form.getInputProps('label') })] }), _jsxs("div", { children: [_jsx(Text, { fz: "sm", fw: 500, mb: 4, id: "webhook-format", children: "Format" }), _jsx(SegmentedControl, { fullWidth: true, size: "xs", "aria-labelledby": "webhook-format", data: formats, value: format, onChange: (value) => {
                            setHasSelectedFormat(true);
                            form.setFieldValue('format', value);
                        } }), _jsx(Text, { fz: "xs", c: "dimmed", mt: 4, children: formatHelp[format] })] }), isNew && _jsx(SecretFields, { form: form })] }));
}
function SecretFields({ form }) {
    if (isChatFormat(form.values.format))
        return (_jsx(Text, { fz: "xs", c: "dimmed", children: webhookText.chatSecret }));
    return (_jsx(Radio.Group, { label: "Secret", ...form.getInputProps('secretKind'), children: _jsxs(Stack, { gap: 8, mt: 6, children: [_jsx(Radio, { value: "generated", label: "Generate a secret and sign each request" }), _jsx(Radio, { value: "own", label: "Use my own secret" }), form.values.secretKind === 'own' && (_jsx(PasswordInput, { ml: 28, "aria-label": "Secret", placeholder: "At least 8 characters", required: true, minLength: 8, maxLength: 255, autoComplete: "new-password", ...form.getInputProps('secret') })), _jsx(Radio, { value: "none", label: "Do not sign requests" })] }) }));
}
