import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDownload, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { buildText } from '../../../text/build.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showFailure } from '../../../ui/toast.tsx';
import { buildQuery } from '../build.queries.ts';
import { TabSkeleton } from '../details/tab-skeleton.tsx';
import { startDownload } from '../download-build.ts';
import classes from './artifacts.module.css';
const ArtifactViewer = lazy(async () => ({ default: (await import('./artifact-viewer.tsx')).ArtifactViewer }));
const formatNames = { junit: 'JUnit report', cyclonedx: 'CycloneDX', spdx: 'SPDX' };
/** An artifact, which can be opened in place. */
export function ArtifactItem({ artifact, build }) {
    const [isOpen, setIsOpen] = useState(false);
    const [isDeleting, setIsDeleting] = useState(false);
    const queryClient = useQueryClient();
    const { can } = useSession();
    const ids = { application_id: build.application_id, build_id: build.id, artifact_id: artifact.id };
    async function download() {
        try {
            startDownload((await api.getBuildMetadataDownload(ids)).temp_url);
        }
        catch (error) {
            showFailure(error);
        }
    }
    const details = [
        artifact.format === null ? artifact.metadata_filetype.name : formatNames[artifact.format],
        formatBytes(artifact.size_bytes),
        artifact.description,
    ];
    return (_jsxs("li", { className: classes.item, children: [_jsxs("div", { className: classes.head, children: [isOpen ? _jsx(IconChevronDown, { size: 16, "aria-hidden": true }) : _jsx(IconChevronRight, { size: 16, "aria-hidden": true }), _jsxs("button", { type: "button", className: classes.open, "aria-expanded": isOpen, onClick: () => setIsOpen(!isOpen), children: [_jsx("span", { className: classes.name, children: artifact.filename }), _jsx("span", { className: classes.meta, children: details.filter((part) => part !== null).join(' · ') })] }), _jsx(Tooltip, { label: "Download", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": `Download ${artifact.filename}`, onClick: () => void download(), children: _jsx(IconDownload, { size: 16 }) }) }), can('builds:write', build.application_id) && (_jsx(Tooltip, { label: "Delete", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": `Delete ${artifact.filename}`, onClick: () => setIsDeleting(true), children: _jsx(IconTrash, { size: 16 }) }) }))] }), isOpen && (_jsx("div", { className: classes.viewer, children: _jsx(Suspense, { fallback: _jsx(TabSkeleton, {}), children: _jsx(ArtifactViewer, { artifact: artifact, build: build }) }) })), isDeleting && (_jsx(ConfirmDialog, { title: `Delete ${artifact.filename}?`, confirmLabel: "Delete artifact", isDangerous: true, onClose: () => setIsDeleting(false), onConfirm: async () => {
                    await api.deleteBuildMetadata(ids);
                    await queryClient.invalidateQueries({
                        queryKey: buildQuery(build.application_id, build.id).queryKey,
                    });
                }, children: buildText.artifacts.deleteWarning }))] }));
}
