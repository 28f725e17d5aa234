import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { insightsText } from '../../text/insights.ts';
import { formatBytes, formatCount } from '../../ui/bytes.ts';
import { RankedBars } from '../../ui/ranked-bars.tsx';
import { seriesCssColor } from '../../ui/series-color.ts';
import classes from './insights-page.module.css';
import { periodsOf } from './periods.ts';
const StackedArea = lazy(async () => ({ default: (await import('../../ui/stacked-area.tsx')).StackedArea }));
const StackedBars = lazy(async () => ({ default: (await import('../../ui/stacked-bars.tsx')).StackedBars }));
const chartHeight = 220;
/** Draws the uploads, downloads, versions and storage of an application. */
export function ApplicationCharts({ statistics: { days, uploads, downloads, channels, storage, ...statistics }, }) {
    const { unit, labels, sumsOf } = periodsOf(days);
    const byPlatform = ({ by_platform }) => by_platform.map(({ platform, counts }) => ({ name: platform.name, values: sumsOf(counts) }));
    const versions = statistics.versions.filter(({ total }) => total > 0);
    const versionNames = versions.map(({ version }) => version ?? insightsText.otherVersions);
    const bars = { periods: labels, format: formatCount, height: chartHeight };
    return (_jsxs("div", { className: classes.charts, children: [_jsx(Chart, { title: "Uploads", detail: `per ${unit}, by platform`, empty: uploads.total === 0 && insightsText.noUploads, children: _jsx(StackedBars, { ...bars, label: `Uploads per ${unit} by platform`, series: byPlatform(uploads) }) }), _jsx(Chart, { title: "Downloads", detail: `per ${unit}, by platform`, empty: downloads.total === 0 && insightsText.noDownloads, children: _jsx(StackedBars, { ...bars, label: `Downloads per ${unit} by platform`, series: byPlatform(downloads) }) }), _jsx(Chart, { title: "Version adoption", detail: `downloads per ${unit}, by version`, empty: versions.length === 0 && insightsText.noDownloads, isWide: true, children: _jsxs("div", { className: classes.split, children: [_jsx(StackedBars, { ...bars, label: `Downloads per ${unit} by version`, withLegend: false, series: versions.map(({ counts }, index) => ({
                                name: versionNames[index] ?? '',
                                values: sumsOf(counts),
                            })) }), _jsx(RankedBars, { label: "Downloads by version", entries: versions.map(({ total }, index) => ({
                                name: versionNames[index] ?? '',
                                value: total,
                                color: seriesCssColor(index),
                            })) })] }) }), _jsx(Chart, { title: "Storage", detail: "at the end of each day, by stream", empty: storage.by_stream.length === 0 && insightsText.noStorage, children: _jsx(StackedArea, { label: "Storage by stream over time", days: days, format: formatBytes, height: chartHeight, series: storage.by_stream.map(({ stream, bytes }) => ({
                        name: stream?.name ?? insightsText.deletedStreams,
                        values: bytes,
                    })) }) }), _jsx(Chart, { title: "Where downloads come from", empty: channels.length === 0 && insightsText.noDownloads, children: _jsx(RankedBars, { label: "Downloads by channel", entries: channels.map(({ channel, total }, index) => ({
                        name: insightsText.channels[channel],
                        value: total,
                        color: seriesCssColor(index),
                    })) }) })] }));
}
function Chart({ title, detail, empty, isWide = false, children }) {
    return (_jsxs("section", { className: isWide ? `${classes.chart} ${classes.wide}` : classes.chart, children: [_jsxs("div", { className: classes.chartHead, children: [_jsx("h2", { className: classes.chartTitle, children: title }), detail !== undefined && _jsx("span", { className: classes.soft, children: detail })] }), empty === false ? (_jsx(Suspense, { fallback: _jsx(Skeleton, { height: chartHeight }), children: children })) : (_jsx("p", { className: classes.nothing, children: empty }))] }));
}
