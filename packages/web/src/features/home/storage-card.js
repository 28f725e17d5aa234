import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { formatBytes } from '../../ui/bytes.ts';
import panel from './home-page.module.css';
const StackedArea = lazy(async () => ({ default: (await import('../../ui/stacked-area.tsx')).StackedArea }));
const shownSeries = 5;
const chartHeight = 160;
/** Draws how much each application stores over time. Small applications are combined. */
export function StorageCard({ statistics: { days, applications, totals }, }) {
    if (totals.stored_bytes === 0)
        return null;
    const largest = applications.toSorted((a, b) => b.stored_bytes - a.stored_bytes).slice(0, shownSeries);
    const rest = totals.storage.map((total, day) => total - largest.reduce((sum, { storage }) => sum + (storage[day] ?? 0), 0));
    const series = [
        ...largest
            .filter(({ stored_bytes: bytes }) => bytes > 0)
            .map(({ name, storage }) => ({ name, values: storage })),
        ...(rest.some((bytes) => bytes > 0) ? [{ name: 'Other', values: rest }] : []),
    ];
    return (_jsxs("section", { className: panel.panel, children: [_jsxs("h2", { className: panel.panelTitle, children: ["Storage \u00B7 ", formatBytes(totals.stored_bytes)] }), _jsx(Suspense, { fallback: _jsx(Skeleton, { height: chartHeight }), children: _jsx(StackedArea, { label: "Storage by application over time", days: days, series: series, format: formatBytes, height: chartHeight }) })] }));
}
