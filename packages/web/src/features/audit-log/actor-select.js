import { jsx as _jsx } from "react/jsx-runtime";
import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
/** Selects a person or a key by name. Recent names are suggested, any other can be typed. */
export function ActorSelect({ actors, value, onChange }) {
    const [text, setText] = useState(value ?? '');
    useEffect(() => setText(value ?? ''), [value]);
    const commit = (name) => onChange(name.trim() || undefined);
    return (_jsx(Autocomplete, { size: "xs", "aria-label": "Person or key", placeholder: "Anyone", clearable: true, data: actors.toSorted((a, b) => a.localeCompare(b)), value: text, onChange: (next) => {
            setText(next);
            if (next === '')
                onChange(undefined);
        }, onOptionSubmit: commit, onBlur: () => commit(text), onKeyDown: (event) => {
            if (event.key === 'Enter')
                commit(text);
        } }));
}
