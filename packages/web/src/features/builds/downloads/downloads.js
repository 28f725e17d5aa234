import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Text, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrl } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { buildText } from '../../../text/build.ts';
import { formatCount } from '../../../ui/bytes.ts';
import { CommandLine } from '../../../ui/command-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { buildDownloadsQuery, memberNamesQuery } from '../details/build-details.queries.ts';
import { TabSkeleton } from '../details/tab-skeleton.tsx';
import { DayChart } from './day-chart.tsx';
import classes from './downloads.module.css';
import { describeUserAgent } from './user-agent.ts';
const shownAtFirst = 50;
/** Who downloaded a build, when, and through which channel. */
export function Downloads({ build }) {
    const { data, error, refetch } = useQuery(buildDownloadsQuery(build.application_id, build.id));
    const [areAllShown, setAreAllShown] = useState(false);
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    if (data === undefined)
        return _jsx(TabSkeleton, {});
    const { downloads, total } = data;
    if (total === 0)
        return (_jsx(EmptyState, { icon: _jsx(IconDownload, { size: 22 }), title: buildText.downloads.emptyTitle, action: _jsx(CommandLine, { code: `quayside builds download ${build.id} \\\n  --application ${build.application_id} --server ${serviceUrl}`, label: "download command" }), children: buildText.downloads.empty }));
    return (_jsxs(_Fragment, { children: [_jsx(DayChart, { downloads: downloads }), _jsx(DownloadTable, { build: build, downloads: areAllShown ? downloads : downloads.slice(0, shownAtFirst) }), !areAllShown && downloads.length > shownAtFirst && (_jsxs(Button, { mt: "md", size: "xs", variant: "default", onClick: () => setAreAllShown(true), children: ["Show ", formatCount(downloads.length - shownAtFirst), " more"] })), total > downloads.length && (_jsx(Text, { mt: "sm", fz: "xs", c: "dimmed", children: buildText.downloads.latest(formatCount(downloads.length)) }))] }));
}
const channelNames = {
    api: 'API',
    console: 'Console',
    'share-link': 'Share link',
    'distribution-group': 'Distribution group',
    portal: 'Portal',
    feed: 'Update feed',
};
function DownloadTable({ build, downloads }) {
    const { can } = useSession();
    const { data: names } = useQuery({
        ...memberNamesQuery(build.application_id),
        enabled: can('members:read', build.application_id),
    });
    return (_jsxs("table", { className: classes.table, children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { children: "Who" }), _jsx("th", { children: "When" }), _jsx("th", { children: "Channel" }), _jsx("th", { children: "File" }), _jsx("th", { children: "Address" }), _jsx("th", { children: "With" })] }) }), _jsx("tbody", { children: downloads.map((download) => (_jsxs("tr", { children: [_jsx("td", { className: classes.who, children: whoOf(download, names) }), _jsx("td", { className: classes.soft, children: _jsx(RelativeTime, { time: download.created_at }) }), _jsx("td", { children: channelNames[download.channel] }), _jsx("td", { children: fileNameOf(download, build) }), _jsx("td", { className: "tabular", children: download.address ?? '–' }), _jsx("td", { className: classes.soft, children: _jsx(Tooltip, { label: download.user_agent ?? 'Unknown', multiline: true, maw: 420, children: _jsx("span", { children: describeUserAgent(download.user_agent) }) }) })] }, download.id))) })] }));
}
function whoOf(download, names) {
    if (download.email !== null)
        return download.email;
    if (download.user_id !== null)
        return names?.get(download.user_id) ?? 'A member';
    return download.api_key?.name ?? 'A visitor';
}
function fileNameOf({ file_id: fileId, metadata_artifact_id: artifactId }, build) {
    if (artifactId !== null)
        return build.metadata_artifacts.find(({ id }) => id === artifactId)?.filename ?? 'A deleted artifact';
    if (fileId === null)
        return build.expansion_files.length === 0 ? build.primary_file.filename : 'All files';
    return ([build.primary_file, ...build.expansion_files].find(({ id }) => id === fileId)?.filename ??
        'Universal APK');
}
