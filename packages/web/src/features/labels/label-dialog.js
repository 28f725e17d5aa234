import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ColorInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { LabelDot } from '../../ui/label-dot.tsx';
import { createLabel, updateLabel } from './label.queries.ts';
const colors = [
    '#e5484d',
    '#f76b15',
    '#ffc53d',
    '#30a46c',
    '#12a594',
    '#0090ff',
    '#3e63dd',
    '#8e4ec6',
    '#d6409f',
    '#8d8d8d',
];
/** Creates or changes a label. */
export function LabelDialog({ applicationId, label, onSaved, onClose }) {
    const form = useForm({
        initialValues: {
            name: label?.name ?? '',
            description: label?.description ?? '',
            color: label?.color ?? '#30a46c',
        },
    });
    const { name, color } = form.values;
    return (_jsxs(FormDialog, { title: label === undefined ? 'New label' : `Label ${label.name}`, submitLabel: label === undefined ? 'Create label' : 'Save', form: form, onClose: onClose, onSubmit: async ({ description, ...values }) => {
            const fields = { ...values, description: description === '' ? null : description };
            await (label === undefined
                ? createLabel(applicationId, fields)
                : updateLabel(applicationId, label.id, fields));
            await onSaved();
            onClose();
        }, children: [_jsx(TextInput, { label: "Name", ...form.getInputProps('name'), "data-autofocus": true, autoComplete: "off" }), _jsx(ColorInput, { label: "Color", swatches: colors, swatchesPerRow: 10, withEyeDropper: false, ...form.getInputProps('color') }), _jsx(Textarea, { label: "Description", autosize: true, minRows: 2, ...form.getInputProps('description') }), _jsx("div", { children: _jsx(LabelDot, { name: name === '' ? 'Preview' : name, color: color }) })] }));
}
