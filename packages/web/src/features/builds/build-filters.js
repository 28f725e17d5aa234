import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCalendar, IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FilterMenu } from '../../ui/filter-menu.tsx';
import { LabelDot } from '../../ui/label-dot.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import classes from './build-filters.module.css';
import { joinValues, valuesOf } from './build-list.search.ts';
import { customTargetsQuery, labelsQuery, platformsQuery, streamsQuery } from './build.queries.ts';
import { uploadSourceNames } from './upload-sources.ts';
const searchDelayMs = 120;
const dayMs = 86400000;
const periods = [
    { label: 'Last 24 hours', days: 1 },
    { label: 'Last 7 days', days: 7 },
    { label: 'Last 30 days', days: 30 },
    { label: 'Last 90 days', days: 90 },
];
/** The search field and a menu for each filter. */
export function BuildFilters({ applicationId, search, onChange, loaded }) {
    const options = useFilterOptions(applicationId, loaded);
    return (_jsxs(Group, { gap: 8, className: classes.filters, children: [_jsx(SearchField, { value: search.search ?? '', onChange: (text) => onChange({ search: text || undefined }) }), options.map(({ name, label, values, allowsOther }) => (_jsx(FilterMenu, { label: label, options: values, values: valuesOf(search[name]), onChange: (next) => onChange({ [name]: joinValues(next) }), allowsOther: allowsOther }, name))), _jsxs(Menu, { position: "bottom-start", children: [_jsx(Menu.Target, { children: _jsx(Button, { variant: "default", size: "xs", fw: 500, leftSection: _jsx(IconCalendar, { size: 14 }), children: "Date" }) }), _jsxs(Menu.Dropdown, { children: [periods.map(({ label, days }) => (_jsx(Menu.Item, { onClick: () => onChange({
                                    created_after: new Date(Date.now() - days * dayMs).toISOString(),
                                    created_before: undefined,
                                }), children: label }, days))), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { onClick: () => onChange({ created_after: undefined, created_before: undefined }), children: "Any time" })] })] })] }));
}
/** Shows each key press at once and searches when the typing pauses. Follows the URL when it changes elsewhere. */
function SearchField({ value, onChange }) {
    const [text, setText] = useState(value);
    const commit = useDebouncedCallback(onChange, searchDelayMs);
    useEffect(() => setText(value), [value]);
    return (_jsx(TextInput, { className: classes.search, size: "xs", "data-list-search": true, leftSection: _jsx(IconSearch, { size: 15 }), rightSection: text === '' ? null : (_jsx(ActionIcon, { variant: "subtle", color: "gray", size: "sm", "aria-label": "Clear the search", onClick: () => {
                setText('');
                onChange('');
            }, children: _jsx(IconX, { size: 14 }) })), placeholder: "Version, branch, commit, file\u2026", "aria-label": "Search builds", maxLength: 100, value: text, onChange: (event) => {
            setText(event.currentTarget.value);
            commit(event.currentTarget.value.trim());
        }, onKeyDown: (event) => {
            if (event.key === 'Escape')
                event.currentTarget.blur();
        } }));
}
function useFilterOptions(applicationId, loaded) {
    const { data: platforms = [] } = useQuery(platformsQuery(applicationId));
    const { data: streams = [] } = useQuery(streamsQuery(applicationId));
    const { data: labels = [] } = useQuery(labelsQuery(applicationId));
    const { data: targets = [] } = useQuery(customTargetsQuery(applicationId));
    const branches = distinct(loaded.map(({ scm }) => scm.scm_branch));
    const filters = [
        {
            name: 'platforms',
            label: 'Platform',
            values: platforms.map((platform) => ({
                value: platform.identifier,
                label: platform.name,
                icon: _jsx(PlatformIcon, { platform: platform, size: 16 }),
            })),
            allowsOther: false,
        },
        {
            name: 'streams',
            label: 'Stream',
            values: streams.map(({ name }) => ({ value: name, label: name })),
            allowsOther: false,
        },
        {
            name: 'labels',
            label: 'Label',
            values: labels.map(({ name, color }) => ({
                value: name,
                label: name,
                icon: _jsx(LabelDot, { name: "", color: color }),
            })),
            allowsOther: false,
        },
        {
            name: 'sources',
            label: 'Source',
            values: Object.entries(uploadSourceNames).map(([value, label]) => ({ value, label })),
            allowsOther: false,
        },
        {
            name: 'branches',
            label: 'Branch',
            values: branches.map((branch) => ({ value: branch, label: branch })),
            allowsOther: true,
        },
        {
            name: 'custom_targets',
            label: 'Target',
            values: targets.map(({ name }) => ({ value: name, label: name })),
            allowsOther: false,
        },
    ];
    return filters.filter(({ name }) => name !== 'custom_targets' || targets.length > 0);
}
const distinct = (values) => [...new Set(values)].filter((value) => value !== null).toSorted((a, b) => a.localeCompare(b));
