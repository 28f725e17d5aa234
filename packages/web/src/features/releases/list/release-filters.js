import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { releaseText } from '../../../text/release.ts';
import { FilterMenu } from '../../../ui/filter-menu.tsx';
import { LabelDot } from '../../../ui/label-dot.tsx';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { joinValues, valuesOf } from '../../builds/build-list.search.ts';
import { labelsQuery, platformsQuery } from '../../builds/build.queries.ts';
import classes from './release-list.module.css';
/** The search field and a menu for each filter. */
export function ReleaseFilters({ applicationId, search, onChange }) {
    const { data: platforms = [] } = useQuery(platformsQuery(applicationId));
    const { data: labels = [] } = useQuery(labelsQuery(applicationId));
    const filters = [
        {
            name: 'status',
            label: 'Status',
            options: Object.entries(releaseText.status).map(([value, label]) => ({ value, label })),
        },
        {
            name: 'platform',
            label: 'Platform',
            options: platforms.map((platform) => ({
                value: platform.identifier,
                label: platform.name,
                icon: _jsx(PlatformIcon, { platform: platform, size: 16 }),
            })),
        },
        {
            name: 'label',
            label: 'Label',
            options: labels.map(({ name, color }) => ({
                value: name,
                label: name,
                icon: _jsx(LabelDot, { name: "", color: color }),
            })),
        },
    ];
    return (_jsxs(Group, { gap: 8, className: classes.filters, children: [_jsx(SearchField, { label: "releases", placeholder: "Version or title\u2026", className: classes.search, value: search.search ?? '', onChange: (text) => onChange({ search: text || undefined }) }), filters.map(({ name, label, options }) => (_jsx(FilterMenu, { label: label, options: options, values: valuesOf(search[name]), onChange: (values) => onChange({ [name]: joinValues(values) }) }, name)))] }));
}
