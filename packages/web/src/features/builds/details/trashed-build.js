import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconChevronLeft, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { NotFoundPage } from '../../../frame/not-found-page.tsx';
import { buildText } from '../../../text/build.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { FailureBanner } from '../../../ui/failure-banner.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { absoluteTime } from '../../../ui/time.ts';
import { showDone, showFailure } from '../../../ui/toast.tsx';
import { BranchCommit, SourceRun } from '../build-cells.tsx';
import { versionText } from '../build.queries.ts';
import { Banner } from './banner.tsx';
import { trashedBuildQuery } from './build-details.queries.ts';
import classes from './build-header.module.css';
import { BuildSkeleton } from './build-skeleton.tsx';
/** Shows a build that is in the trash, or that there is no such build. */
export function TrashedBuild({ applicationId, buildId, onRestored }) {
    const { data: build, error, isPending, refetch } = useQuery(trashedBuildQuery(applicationId, buildId));
    const queryClient = useQueryClient();
    const { can } = useSession();
    if (isPending)
        return _jsx(BuildSkeleton, {});
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    if (build === null || build === undefined)
        return _jsx(NotFoundPage, {});
    async function restore() {
        try {
            await api.restoreBuild({ application_id: applicationId, build_id: buildId });
            showDone('1 build restored.');
            await onRestored();
            await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'builds'] });
        }
        catch (failure) {
            showFailure(failure);
        }
    }
    const canRestore = can('builds:write', applicationId);
    return (_jsxs(_Fragment, { children: [_jsxs(Link, { to: "/applications/$applicationId", params: { applicationId }, search: { trashed: true }, className: classes.back, children: [_jsx(IconChevronLeft, { size: 15, "aria-hidden": true }), " Trash"] }), _jsx(PageHeader, { title: versionText(build), facts: `${build.platform.name} · ${build.stream.name}` }), _jsxs(Banner, { tone: "warn", icon: _jsx(IconTrash, { size: 18, "aria-hidden": true }), title: buildText.trashed.title, action: canRestore && _jsx(Button, { onClick: () => void restore(), children: "Restore" }), children: [typeof build.purge_at === 'string' && buildText.trashed.keptUntil(absoluteTime(build.purge_at)), ' ', !canRestore && buildText.trashed.notRestorable] }), _jsxs(FactList, { children: [_jsx(Fact, { name: "Deleted", children: typeof build.deleted_at === 'string' && _jsx(RelativeTime, { time: build.deleted_at }) }), _jsx(Fact, { name: "Deleted by", children: build.deleted_by?.name }), _jsx(Fact, { name: "Uploaded", children: _jsx(RelativeTime, { time: build.created_at }) }), _jsx(Fact, { name: "Commit", children: _jsx(BranchCommit, { build: build }) }), _jsx(Fact, { name: "Source", children: _jsx(SourceRun, { build: build }) }), _jsx(Fact, { name: "Size", children: formatBytes(build.size_total_bytes) })] })] }));
}
