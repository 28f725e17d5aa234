import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { uploadText } from '../../text/upload.ts';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import { inputFiles, pickFiles } from '../../upload/choose-files.ts';
import { uploadQueue } from './upload-queue.ts';
const pausable = new Set(['waiting', 'uploading', 'retrying', 'offline']);
/** Pauses, resumes and cancels an upload. */
export function UploadActions({ upload: { id, filename, phase }, onOtherFile }) {
    const input = useRef(null);
    async function resumeWith([chosen]) {
        if (chosen !== undefined && !(await uploadQueue.resumeWith(id, chosen)))
            onOtherFile();
    }
    async function choose() {
        const files = await pickFiles({ multiple: false });
        if (files === undefined)
            input.current?.click();
        else
            await resumeWith(files);
    }
    if (phase === 'elsewhere' || phase === 'verifying' || phase === 'reading')
        return null;
    return (_jsxs(_Fragment, { children: [pausable.has(phase) && (_jsx(Tooltip, { label: "Pause", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `Pause ${filename}`, onClick: () => uploadQueue.pause(id), children: _jsx(IconPlayerPause, { size: 18 }) }) })), (phase === 'paused' || phase === 'needs-permission') && (_jsx(Button, { variant: "default", size: "xs", leftSection: _jsx(IconPlayerPlay, { size: 14 }), "aria-label": `Resume ${filename}`, onClick: () => uploadQueue.resume(id), children: "Resume" })), phase === 'needs-file' && (_jsxs(_Fragment, { children: [_jsx(Button, { variant: "default", size: "xs", onClick: () => void choose().catch(showFailure), "aria-label": `Choose the file ${filename}`, children: "Choose the file" }), _jsx("input", { ref: input, type: "file", hidden: true, "aria-label": `File to resume ${filename}`, onChange: (event) => {
                            void resumeWith(inputFiles(event.currentTarget.files)).catch(showFailure);
                            event.currentTarget.value = '';
                        } })] })), _jsx(Tooltip, { label: "Cancel", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `Cancel ${filename}`, onClick: () => showUndo(uploadText.canceled(filename), uploadQueue.cancel(id)), children: _jsx(IconX, { size: 18 }) }) })] }));
}
