import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { uploadText } from '../../text/upload.ts';
import { plural } from '../../ui/bytes.ts';
import { showDone, showFailure } from '../../ui/toast.tsx';
import { droppedFiles, hasFiles } from '../../upload/choose-files.ts';
import classes from './drop-overlay.module.css';
import { uploadQueue } from './upload-queue.ts';
import { loadUploadTarget, useUploadApplications } from './upload-target.ts';
// A file that is dropped on the page of a build is compared with the build.
const otherUses = new Set(['/console/applications/$applicationId/builds/$buildId']);
/** Lets a person drop files on any page. They go to the application that the page shows. */
export function DropOverlay() {
    const queryClient = useQueryClient();
    const { params, search, isOtherUse } = useMatches({
        select: (matches) => ({
            params: matches.at(-1)?.params,
            search: matches.at(-1)?.search,
            isOtherUse: matches.some(({ routeId }) => otherUses.has(routeId)),
        }),
        structuralSharing: true,
    });
    const { selected } = useUploadApplications(params?.applicationId ?? search?.application);
    const [isDragging, setIsDragging] = useState(false);
    const depth = useRef(0);
    const applicationId = isOtherUse ? undefined : selected?.id;
    useEffect(() => {
        if (applicationId === undefined)
            return undefined;
        async function upload(transfer) {
            const { files, folders } = await droppedFiles(transfer);
            if (folders > 0)
                showFailure(new Error(uploadText.folder));
            if (files.length === 0)
                return;
            const target = await loadUploadTarget(queryClient, applicationId ?? '');
            uploadQueue.add(files, target);
            showDone(uploadText.added(plural(files.length, 'file'), target.applicationName));
        }
        const setDepth = (next) => {
            depth.current = Math.max(0, next);
            setIsDragging(depth.current > 0);
        };
        const controller = new AbortController();
        const listen = (type, handle) => window.addEventListener(type, (event) => {
            if (!hasFiles(event.dataTransfer))
                return;
            event.preventDefault();
            handle(event);
        }, { signal: controller.signal });
        // The browser reports each element below the pointer that is entered or left.
        listen('dragenter', () => setDepth(depth.current + 1));
        listen('dragleave', () => setDepth(depth.current - 1));
        listen('dragover', () => { });
        listen('drop', ({ dataTransfer }) => {
            setDepth(0);
            if (dataTransfer !== null)
                void upload(dataTransfer).catch(showFailure);
        });
        return () => controller.abort();
    }, [applicationId, queryClient]);
    if (!isDragging || selected === undefined)
        return null;
    return (_jsx("div", { className: classes.overlay, role: "status", children: _jsxs("div", { className: classes.message, children: [_jsx(IconUpload, { size: 28, stroke: 1.5 }), uploadText.dropTo(selected.name)] }) }));
}
