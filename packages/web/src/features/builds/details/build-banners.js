import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconDownload } from '@tabler/icons-react';
import { useSession } from '../../../api/session.ts';
import { buildText } from '../../../text/build.ts';
import { useNow } from '../../../ui/now.ts';
import { absoluteTime, daysUntil } from '../../../ui/time.ts';
import { buildChanges } from '../build-changes.ts';
import { downloadBuild } from '../download-build.ts';
import { Banner } from './banner.tsx';
import { useBuildChange } from './use-build-change.ts';
const soonDays = 7;
/** Says that a build is being read, could not be read, or will soon be deleted. */
export function BuildBanners({ build }) {
    const now = useNow();
    if (build.pending_processing)
        return (_jsx(Banner, { icon: _jsx(Loader, { size: 16 }), title: buildText.processing.title, children: buildText.processing.detail }));
    return (_jsxs(_Fragment, { children: [build.processing_error !== null && _jsx(FailedBanner, { build: build, reason: build.processing_error }), build.expires_at !== null && !build.keep_forever && daysUntil(build.expires_at, now) < soonDays && (_jsx(ExpiryBanner, { build: build, expiresAt: build.expires_at }))] }));
}
function FailedBanner({ build, reason }) {
    return (_jsxs(Banner, { tone: "bad", icon: _jsx(IconAlertTriangle, { size: 18, "aria-hidden": true }), title: buildText.failed.title, action: _jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconDownload, { size: 15 }), onClick: () => void downloadBuild(build.application_id, build.id), children: "Download the file" }), children: [reason, " ", buildText.failed.detail] }));
}
function ExpiryBanner({ build, expiresAt }) {
    const { can } = useSession();
    const change = useBuildChange(build);
    const days = daysUntil(expiresAt, useNow());
    return (_jsx(Banner, { tone: "warn", icon: _jsx(IconClock, { size: 18, "aria-hidden": true }), title: _jsxs("span", { title: absoluteTime(expiresAt), children: ["Expires ", days < 1 ? 'within a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`] }), action: can('builds:write', build.application_id) && (_jsx(Button, { size: "xs", variant: "default", onClick: () => void change(buildChanges.keep()), children: "Keep forever" })), children: buildText.expiring(build.stream.name, build.stream.retention_days) }));
}
