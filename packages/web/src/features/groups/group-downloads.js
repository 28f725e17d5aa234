import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { groupText } from '../../text/groups.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { versionText } from '../builds/build.queries.ts';
import classes from './group-members.module.css';
import { groupDownloadsQuery } from './group.queries.ts';
/** Who downloaded which build through a link that was sent to the group, the latest first. */
export function GroupDownloads({ group }) {
    const query = useInfiniteQuery({ ...groupDownloadsQuery(group.id), placeholderData: keepPreviousData });
    return (_jsxs(_Fragment, { children: [_jsx(Loaded, { query: query, children: ({ pages: [first, ...others] }) => first === undefined || first.data.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconDownload, { size: 22 }), title: "No downloads yet", children: groupText.noDownloads })) : (_jsx(ItemList, { label: "Downloads", children: [first, ...others].flatMap(({ data }) => data.map((download) => _jsx(DownloadItem, { download: download }, download.id))) })) }), query.hasNextPage && (_jsx(Button, { variant: "default", mt: "sm", loading: query.isFetchingNextPage, onClick: () => void query.fetchNextPage(), children: "Show more downloads" }))] }));
}
function DownloadItem({ download }) {
    const { email, application_id: applicationId, application_name: application, build_id: buildId } = download;
    return (_jsx(Item, { leading: _jsx(PlatformIcon, { platform: download.platform }), title: email ?? 'Hidden address', detail: _jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId }, className: classes.link, children: [application, " ", versionText(download)] }), download.address !== null && _jsx("span", { children: download.address })] }), menu: _jsx("span", { className: classes.soft, children: _jsx(RelativeTime, { time: download.created_at }) }) }));
}
