import { jsx as _jsx } from "react/jsx-runtime";
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionText } from '../build.queries.ts';
import { buildSearchQuery } from '../details/build-details.queries.ts';
const debounceMs = 200;
/** Chooses a build of the application to compare with. */
export function BuildPicker({ build, other, onChange }) {
    const [search, setSearch] = useState('');
    const [debounced] = useDebouncedValue(search, debounceMs);
    const shown = other === undefined ? '' : labelOf(other);
    const needle = debounced === shown ? '' : debounced;
    const { data: found = [] } = useQuery({
        ...buildSearchQuery(build.application_id, needle),
        placeholderData: keepPreviousData,
    });
    const options = new Map();
    if (other !== undefined)
        options.set(other.id, labelOf(other));
    for (const each of found)
        if (each.id !== build.id)
            options.set(each.id, labelOf(each));
    return (_jsx(Select, { label: "Compare with", placeholder: "Version, branch, commit, file\u2026", data: [...options].map(([value, label]) => ({ value, label })), value: other?.id ?? null, onChange: (value) => value !== null && onChange(value), searchable: true, searchValue: search, onSearchChange: setSearch, 
        // The server has already filtered the options.
        filter: ({ options: all }) => all, allowDeselect: false, nothingFoundMessage: "No build matches.", selectFirstOptionOnChange: true }));
}
const labelOf = (build) => `${versionText(build)} · ${build.platform.name} · ${build.stream.name}`;
