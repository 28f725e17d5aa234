import { jsx as _jsx } from "react/jsx-runtime";
import { ActionIcon, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
const delayMs = 120;
/** Shows each key press at once and searches when the typing pauses. Follows the URL when it changes elsewhere. */
export function SearchField({ label, placeholder, value, onChange, ...options }) {
    const { className, maxLength = 50, isListSearch = true } = options;
    const [text, setText] = useState(value);
    const commit = useDebouncedCallback(onChange, delayMs);
    useEffect(() => setText(value), [value]);
    return (_jsx(TextInput, { className: className, size: "xs", "data-list-search": isListSearch || undefined, leftSection: _jsx(IconSearch, { size: 15 }), rightSection: text === '' ? null : (_jsx(ActionIcon, { variant: "subtle", color: "gray", size: "sm", "aria-label": "Clear the search", onClick: () => {
                setText('');
                onChange('');
            }, children: _jsx(IconX, { size: 14 }) })), placeholder: placeholder, "aria-label": `Search ${label}`, maxLength: maxLength, value: text, onChange: (event) => {
            setText(event.currentTarget.value);
            commit(event.currentTarget.value.trim());
        }, onKeyDown: (event) => {
            if (event.key === 'Escape')
                event.currentTarget.blur();
        } }));
}
