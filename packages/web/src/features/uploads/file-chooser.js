import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { uploadText } from '../../text/upload.ts';
import { showFailure } from '../../ui/toast.tsx';
import { inputFiles, pickFiles } from '../../upload/choose-files.ts';
import classes from './file-chooser.module.css';
/** A button that opens the file dialog. Dropped files are handled by the frame, so that they work on every page. */
export function FileChooser({ applicationName, isCompact, onFiles }) {
    const isTouch = useMediaQuery('(pointer: coarse)');
    const input = useRef(null);
    async function choose() {
        const files = await pickFiles({ multiple: true });
        if (files === undefined)
            input.current?.click();
        else
            onFiles(files);
    }
    return (_jsxs("div", { className: classes.zone, "data-compact": isCompact || undefined, children: [_jsx(IconUpload, { size: 28, stroke: 1.5, className: classes.icon }), _jsxs("div", { className: classes.text, children: [_jsx(Text, { fw: 600, children: isTouch ? uploadText.chooseFor(applicationName) : uploadText.dropHere(applicationName) }), _jsx(Text, { c: "dimmed", fz: "sm", children: uploadText.dropHint })] }), _jsx(Button, { className: classes.choose, onClick: () => void choose().catch(showFailure), children: "Choose files" }), _jsx("input", { ref: input, type: "file", multiple: true, hidden: true, "aria-label": "Files to upload", onChange: (event) => {
                    onFiles(inputFiles(event.currentTarget.files));
                    event.currentTarget.value = '';
                } })] }));
}
