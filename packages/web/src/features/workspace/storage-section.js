import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Progress, Skeleton, Text } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { settingsText } from '../../text/settings.ts';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { formatBytes, plural } from '../../ui/bytes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { workspaceStatisticsQuery } from '../statistics/statistics.queries.ts';
import classes from './storage-section.module.css';
const StackedArea = lazy(async () => ({ default: (await import('../../ui/stacked-area.tsx')).StackedArea }));
const shownDays = 90;
const shownSeries = 5;
const chartHeight = 240;
/** How much each application stores, now and over time. */
export function StorageSection() {
    const query = useQuery(workspaceStatisticsQuery(shownDays));
    return (_jsx(SettingsSection, { title: "Storage", description: settingsText.storage, children: _jsx(Loaded, { query: query, children: (statistics) => _jsx(StorageUsage, { statistics: statistics }) }) }));
}
function StorageUsage({ statistics }) {
    const { days, totals, truncated } = statistics;
    const applications = statistics.applications.toSorted((a, b) => b.stored_bytes - a.stored_bytes);
    const largest = applications.slice(0, shownSeries);
    const others = totals.storage.map((total, day) => largest.reduce((rest, { storage }) => rest - (storage[day] ?? 0), total));
    const series = largest.map(({ name, storage }) => ({ name, values: storage }));
    if (others.some((bytes) => bytes > 0))
        series.push({ name: 'Other', values: others });
    if (totals.stored_bytes === 0)
        return (_jsx(EmptyState, { icon: _jsx(IconDatabase, { size: 22 }), title: "No storage used", children: settingsText.noStorage }));
    return (_jsxs(_Fragment, { children: [_jsx(Text, { fz: 28, fw: 620, lh: 1.2, className: "tabular", children: formatBytes(totals.stored_bytes) }), _jsxs(Text, { c: "dimmed", fz: "sm", mb: "md", children: ["in ", plural(totals.build_count, 'build'), " of ", plural(totals.application_count, 'application'), ", and in the trash"] }), _jsx(Suspense, { fallback: _jsx(Skeleton, { height: chartHeight }), children: _jsx(StackedArea, { label: `Storage by application in the last ${shownDays} days`, days: days, series: series, format: formatBytes, height: chartHeight }) }), _jsx("div", { className: classes.list, children: _jsx(ItemList, { label: "Storage by application", children: applications.map(({ id, name, icon_url: url, stored_bytes: bytes, build_count: count }) => (_jsx(Item, { leading: _jsx(ApplicationIcon, { name: name, url: url, size: 28 }), title: _jsx(Link, { to: "/applications/$applicationId", params: { applicationId: id }, children: name }), detail: plural(count, 'build'), end: _jsxs("div", { className: classes.usage, children: [_jsx(Progress, { value: (bytes / totals.stored_bytes) * 100, className: classes.bar, "aria-label": `${name}: share of storage` }), _jsx("span", { className: classes.bytes, children: formatBytes(bytes) })] }) }, id))) }) }), truncated && (_jsx(Text, { c: "dimmed", fz: "sm", mt: "xs", children: settingsText.truncated }))] }));
}
