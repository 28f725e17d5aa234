import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { RingProgress } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatBytes, plural } from '../../ui/bytes.ts';
import { isActive, isFinished } from '../../upload/upload.ts';
import classes from './sidebar-uploads.module.css';
import { useUploads } from './upload-queue.ts';
/** Shows the progress of all unfinished uploads on every page, and leads to them. */
export function SidebarUploads({ isCompact = false }) {
    const unfinished = useUploads().filter((upload) => !isFinished(upload));
    if (unfinished.length === 0)
        return null;
    const sum = (pick) => unfinished.reduce((total, each) => total + pick(each), 0);
    const size = sum(({ sizeBytes }) => sizeBytes);
    const percent = size === 0 ? 0 : Math.floor((sum(({ sentBytes }) => sentBytes) / size) * 100);
    const speed = sum(({ bytesPerSecond }) => bytesPerSecond ?? 0);
    const needsAttention = unfinished.some((upload) => !isActive(upload) || upload.phase === 'incomplete');
    const detail = speed > 0 ? `${percent} % · ${formatBytes(speed)}/s` : `${percent} %`;
    const title = plural(unfinished.length, 'upload');
    return (_jsxs(Link, { to: "/upload", className: classes.uploads, "data-compact": isCompact || undefined, children: [_jsx(RingProgress, { size: 26, thickness: 3, sections: [{ value: percent, color: needsAttention ? 'yellow.7' : 'quay' }], rootColor: "var(--q-line-strong)", "aria-hidden": true }), _jsxs("span", { className: classes.text, children: [_jsxs("span", { className: classes.title, children: [title, needsAttention && (_jsx(IconAlertTriangle, { size: 14, color: "var(--q-warn)", "aria-label": "Needs attention" }))] }), _jsx("span", { className: classes.detail, children: detail })] })] }));
}
