import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Input, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { groupText } from '../../text/groups.ts';
import classes from './group-icon-field.module.css';
import { GroupIcon, iconNames } from './group-icon.tsx';
const emojis = [
    '🚀',
    '🧪',
    '🐞',
    '⭐',
    '❤️',
    '🎮',
    '📱',
    '🌍',
    '🎓',
    '🏢',
    '🔥',
    '🌱',
    '🦊',
    '🐧',
    '🎨',
    '📷',
    '🎧',
    '🛟',
    '⚓',
    '☕',
];
/** Chooses no icon, an emoji or a drawing. */
export function GroupIconField({ form }) {
    const { icon_type: type, icon_emoji_code: emoji, icon_set_value: name } = form.values;
    return (_jsxs("div", { children: [_jsx(Input.Label, { component: "div", display: "block", mb: 4, children: "Icon" }), _jsx(SegmentedControl, { size: "xs", "aria-label": "Kind of icon", data: [
                    { value: 'none', label: 'None' },
                    { value: 'emoji', label: 'Emoji' },
                    { value: 'fa', label: 'Icon' },
                ], ...form.getInputProps('icon_type') }), type === 'emoji' && (_jsxs(_Fragment, { children: [_jsx(Choices, { label: "Emoji", values: emojis, selected: emoji, onSelect: (value) => form.setFieldValue('icon_emoji_code', value), draw: (value) => _jsx(GroupIcon, { size: 36, group: iconOf('emoji', value) }) }), _jsx(TextInput, { "aria-label": "Emoji", description: groupText.emoji, inputWrapperOrder: ['input', 'description', 'error'], maw: "12rem", maxLength: 16, ...form.getInputProps('icon_emoji_code') })] })), type === 'fa' && (_jsxs(_Fragment, { children: [_jsx(Choices, { label: "Icons", values: iconNames, selected: name, onSelect: (value) => form.setFieldValue('icon_set_value', value), draw: (value) => _jsx(GroupIcon, { size: 36, group: iconOf('fa', value) }) }), _jsx(Input.Error, { children: form.errors['icon_set_value'] })] }))] }));
}
const iconOf = (type, value) => ({
    icon_type: type,
    icon_emoji_code: type === 'emoji' ? value : null,
    icon_set_value: type === 'fa' ? value : null,
});
function Choices({ label, values, selected, onSelect, draw }) {
    return (_jsx("div", { className: classes.choices, role: "group", "aria-label": label, children: values.map((value) => (_jsx(UnstyledButton, { className: classes.choice, "aria-label": value.replaceAll('-', ' '), "aria-pressed": value === selected, onClick: () => onSelect(value), children: draw(value) }, value))) }));
}
