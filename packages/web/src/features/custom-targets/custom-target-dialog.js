import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ImageField } from '../../ui/image-field.tsx';
import { createCustomTarget, deleteCustomTargetIcon, replaceCustomTargetIcon, updateCustomTarget, } from './custom-target.queries.ts';
/** Creates or changes a custom target, with its icon once it exists. */
export function CustomTargetDialog({ applicationId, target, platforms, onSaved, onClose }) {
    const form = useForm({
        initialValues: {
            name: target?.name ?? '',
            description: target?.description ?? '',
            platform: target?.platform.identifier ?? platforms[0]?.identifier ?? '',
        },
    });
    return (_jsxs(FormDialog, { title: target === undefined ? 'New custom target' : `Custom target ${target.name}`, submitLabel: target === undefined ? 'Create custom target' : 'Save', form: form, onClose: onClose, onSubmit: async ({ name, description: text, platform }) => {
            const description = text === '' ? null : text;
            await (target === undefined
                ? createCustomTarget(applicationId, { name, description, platform })
                : updateCustomTarget(applicationId, target.id, { name, description }));
            await onSaved();
            onClose();
        }, children: [target !== undefined && (_jsx(ImageField, { label: "Icon", name: target.name, url: target.icon_url, canEdit: true, onSave: async ({ content_type, data }) => {
                    await replaceCustomTargetIcon(applicationId, target.id, { content_type, data });
                    await onSaved();
                }, onDelete: async () => {
                    await deleteCustomTargetIcon(applicationId, target.id);
                    await onSaved();
                } })), _jsx(TextInput, { label: "Name", ...form.getInputProps('name'), "data-autofocus": true, autoComplete: "off" }), target === undefined && (_jsx(NativeSelect, { label: "Platform", ...form.getInputProps('platform'), data: platforms.map(({ identifier, name }) => ({ value: identifier, label: name })) })), _jsx(Textarea, { label: "Description", autosize: true, minRows: 2, ...form.getInputProps('description') })] }));
}
