import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useQueryClient } from '@tanstack/react-query';
import { DropOverlay } from '../uploads/drop-overlay.tsx';
import { FileChooser } from '../uploads/file-chooser.tsx';
import { uploadQueue, useUploadQueue, useUploads } from '../uploads/upload-queue.ts';
import { UploadRow } from '../uploads/upload-row.tsx';
import { loadUploadTarget, rememberApplication } from '../uploads/upload-target.ts';
import { FirstBuild } from './first-build.tsx';
/** Uploads files that are chosen or dropped on the page. Shows a build that arrives from elsewhere, too. */
export function FirstFiles({ applicationId, applicationName }) {
    const queryClient = useQueryClient();
    useUploadQueue();
    const uploads = useUploads();
    return (_jsxs(_Fragment, { children: [_jsx(FileChooser, { applicationName: applicationName, isCompact: uploads.length > 0, onFiles: (files) => {
                    rememberApplication(applicationId);
                    void loadUploadTarget(queryClient, applicationId).then((target) => uploadQueue.add(files, target));
                } }), uploads.map((upload) => (_jsx(UploadRow, { upload: upload }, upload.id))), uploads.length === 0 && _jsx(FirstBuild, { applicationId: applicationId }), _jsx(DropOverlay, {})] }));
}
