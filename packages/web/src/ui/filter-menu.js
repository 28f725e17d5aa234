import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Popover, ScrollArea, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './filter-menu.module.css';
/** A button that opens a searchable list from which several values can be selected. */
export function FilterMenu({ label, options, values, onChange, allowsOther = false, isCompact = false, }) {
    const [isOpen, setIsOpen] = useState(false);
    const [text, setText] = useState('');
    const needle = text.trim().toLowerCase();
    const others = values
        .filter((value) => !options.some((option) => option.value === value))
        .map((value) => ({ value, label: value }));
    const shown = [...others, ...options].filter((option) => option.label.toLowerCase().includes(needle));
    const canAdd = allowsOther && needle !== '' && !shown.some((option) => option.label.toLowerCase() === needle);
    const toggle = (value) => onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);
    const add = () => {
        toggle(text.trim());
        setText('');
    };
    return (_jsxs(Popover, { opened: isOpen, onChange: setIsOpen, position: "bottom-start", width: 260, trapFocus: true, returnFocus: true, children: [_jsx(Popover.Target, { children: _jsxs(Button, { variant: isCompact ? 'subtle' : 'default', color: "gray", size: isCompact ? 'compact-xs' : 'xs', leftSection: isCompact ? _jsx(IconPlus, { size: 13 }) : undefined, rightSection: isCompact ? undefined : _jsx(IconChevronDown, { size: 14 }), onClick: () => setIsOpen(!isOpen), "data-active": (!isCompact && values.length > 0) || undefined, className: classes.button, children: [label, !isCompact && values.length > 0 && _jsx("span", { className: classes.count, children: values.length })] }) }), _jsxs(Popover.Dropdown, { p: 6, children: [_jsx(TextInput, { size: "xs", placeholder: allowsOther ? 'Find or add' : 'Find', "aria-label": `Find: ${label}`, value: text, onChange: (event) => setText(event.currentTarget.value), onKeyDown: (event) => {
                            const [only] = shown;
                            if (event.key !== 'Enter')
                                return;
                            if (canAdd)
                                add();
                            else if (only !== undefined)
                                toggle(only.value);
                        }, "data-autofocus": true }), _jsxs(ScrollArea.Autosize, { mah: 280, mt: 6, type: "auto", children: [shown.map(({ value, label: name, icon }) => (_jsxs("label", { className: classes.option, children: [_jsx(Checkbox, { size: "xs", checked: values.includes(value), onChange: () => toggle(value) }), icon, _jsx("span", { className: classes.name, children: name })] }, value))), canAdd && (_jsxs("button", { type: "button", className: classes.option, onClick: add, children: ["Add \u201C", text.trim(), "\u201D"] })), shown.length === 0 && !canAdd && (_jsx(Text, { fz: "xs", c: "dimmed", p: 8, children: "Nothing found" }))] })] })] }));
}
