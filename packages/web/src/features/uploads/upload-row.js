import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { uploadText } from '../../text/upload.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { FileGoneError } from '../../upload/send-parts.ts';
import { UploadActions } from './upload-actions.tsx';
import { UploadFieldInputs } from './upload-field-inputs.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { uploadQueue } from './upload-queue.ts';
import classes from './upload-row.module.css';
import { UploadedBuildActions } from './uploaded-build-actions.tsx';
/** One upload: its file, its fields, and its progress or its result. */
export function UploadRow({ upload }) {
    const { id, filename, sizeBytes, phase, error, fieldErrors, build } = upload;
    const [otherFile, setOtherFile] = useState();
    const isFixed = phase === 'done' || phase === 'verifying' || phase === 'elsewhere';
    return (_jsxs("article", { className: classes.row, "aria-label": filename, "data-phase": phase, children: [_jsxs("div", { className: classes.file, children: [_jsx(UploadIcon, { upload: upload }), _jsxs("div", { className: classes.name, children: [_jsx(Text, { fw: 600, truncate: true, title: filename, children: filename }), _jsxs(Text, { fz: "xs", c: "dimmed", className: "tabular", truncate: true, children: [build !== null && (_jsx(IconCheck, { size: 12, color: "var(--q-good)", "aria-label": uploadText.phase.done })), ' ', [
                                        ...(build === null ? [] : [build.version, build.platform, build.stream]),
                                        formatBytes(sizeBytes),
                                        upload.applicationName,
                                    ].join(' · ')] })] }), build === null ? (_jsx(UploadActions, { upload: upload, onOtherFile: () => setOtherFile(uploadText.otherFile(filename)) })) : (_jsx(UploadedBuildActions, { upload: upload, build: build }))] }), phase !== 'done' && (_jsxs("div", { className: classes.details, children: [!isFixed && phase !== 'reading' && _jsx(UploadFieldInputs, { upload: upload }), _jsx(UploadProgress, { upload: upload })] })), otherFile !== undefined && phase === 'needs-file' && (_jsx(Text, { c: "red", fz: "sm", role: "alert", children: otherFile })), phase === 'failed' && error !== null && Object.keys(fieldErrors).length === 0 && (_jsx(FailureBanner, { error: error instanceof FileGoneError ? new Error(uploadText.fileGone) : error, onRetry: () => uploadQueue.resume(id) }))] }));
}
function UploadIcon({ upload: { icon, fields } }) {
    if (icon !== null)
        return _jsx("img", { src: icon, alt: "", width: 36, height: 36, className: classes.icon });
    const identifier = fields.platform ?? 'generic';
    return (_jsx("span", { className: classes.icon, children: _jsx(PlatformIcon, { platform: { identifier, name: identifier }, size: 20 }) }));
}
