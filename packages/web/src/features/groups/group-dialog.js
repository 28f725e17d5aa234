import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { groupText } from '../../text/groups.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { GroupIconField } from './group-icon-field.tsx';
import { emojiOf } from './group-icon.tsx';
import { groupChanged } from './group.queries.ts';
const emptyGroup = {
    name: '',
    description: '',
    type: 'external',
    icon_type: 'none',
    icon_emoji_code: '',
    icon_set_value: '',
};
const valuesOf = (group) => ({
    name: group.name,
    description: group.description ?? '',
    type: group.type,
    icon_type: group.icon_type,
    icon_emoji_code: group.icon_emoji_code === null ? '' : emojiOf(group.icon_emoji_code),
    icon_set_value: group.icon_set_value ?? '',
});
const bodyOf = ({ name, description, type, icon_type, icon_emoji_code, icon_set_value }) => ({
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    type,
    icon_type,
    icon_emoji_code: icon_type === 'emoji' ? icon_emoji_code.trim() : null,
    icon_set_value: icon_type === 'fa' ? icon_set_value : null,
});
/** Creates a group, or changes one if it is passed. */
export function GroupDialog({ group, onClose }) {
    const queryClient = useQueryClient();
    const navigate = useNavigate();
    const form = useForm({
        initialValues: group === undefined ? emptyGroup : valuesOf(group),
        validate: {
            name: isNotEmpty('Enter a name.'),
            icon_emoji_code: (value, { icon_type: type }) => type === 'emoji' && value.trim() === '' ? 'Choose an emoji.' : null,
            icon_set_value: (value, { icon_type: type }) => type === 'fa' && value === '' ? 'Choose an icon.' : null,
        },
    });
    async function save(values) {
        const body = bodyOf(values);
        const { data } = await (group === undefined
            ? api.createDistributionGroup({ body })
            : api.updateDistributionGroup({ distribution_group_id: group.id, body }));
        onClose();
        await groupChanged(queryClient, data);
        if (group === undefined)
            await navigate({ to: '/groups/$groupId', params: { groupId: data.id } });
    }
    return (_jsxs(FormDialog, { title: group === undefined ? 'New group' : 'Edit group', submitLabel: group === undefined ? 'Create group' : 'Save', form: form, onSubmit: save, onClose: onClose, children: [_jsx(TextInput, { label: "Name", required: true, maxLength: 100, "data-autofocus": true, ...form.getInputProps('name') }), _jsx(Textarea, { label: "Description", autosize: true, minRows: 2, maxLength: 1000, ...form.getInputProps('description') }), _jsx(GroupIconField, { form: form }), _jsx(Radio.Group, { label: "Who can be a member", ...form.getInputProps('type'), children: _jsxs(Stack, { gap: 8, mt: 6, children: [_jsx(Radio, { value: "external", label: "External", description: groupText.types.external }), _jsx(Radio, { value: "internal", label: "Internal", description: groupText.types.internal })] }) })] }));
}
