import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { imageText } from '../text/image.ts';
import { ApplicationIcon } from './application-icon.tsx';
import { FailureBanner } from './failure-banner.tsx';
import classes from './image-field.module.css';
import { squareImageOf } from './square-image.ts';
import { showFailure } from './toast.tsx';
/** Shows an image and replaces it by a file that is chosen or dropped, after a preview in the sizes that are used. */
export function ImageField({ label, name, url, canEdit, onSave, onDelete }) {
    const [image, setImage] = useState();
    const [isOver, setIsOver] = useState(false);
    const choose = (file) => {
        if (file)
            squareImageOf(file).then(setImage, showFailure);
    };
    const drop = (event) => {
        event.preventDefault();
        setIsOver(false);
        if (canEdit)
            choose(event.dataTransfer.files[0]);
    };
    return (_jsxs("div", { className: classes.field, "data-over": isOver || undefined, onDragOver: (event) => {
            event.preventDefault();
            setIsOver(canEdit);
        }, onDragLeave: () => setIsOver(false), onDrop: drop, children: [_jsx(ApplicationIcon, { name: name, url: url, size: 64 }), _jsxs("div", { children: [_jsx(Text, { fw: 500, children: label }), canEdit && (_jsx(Text, { fz: "sm", c: "dimmed", children: imageText.hint })), canEdit && (_jsxs(Group, { gap: "xs", mt: 6, children: [_jsx(FileButton, { accept: "image/png,image/jpeg,image/webp,image/gif,image/avif", onChange: choose, children: (props) => (_jsx(Button, { ...props, variant: "default", size: "xs", children: url === null ? 'Choose a file' : 'Replace' })) }), url !== null && onDelete !== undefined && (_jsx(Button, { variant: "subtle", color: "gray", size: "xs", onClick: () => void onDelete().catch(showFailure), children: "Remove" }))] }))] }), image !== undefined && (_jsx(ImagePreview, { label: label, name: name, image: image, onSave: onSave, onClose: () => setImage(undefined) }))] }));
}
const previewSizes = [96, 28, 20];
function ImagePreview({ label, name, image, onSave, onClose }) {
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    async function save() {
        setIsRunning(true);
        try {
            await onSave(image);
            onClose();
        }
        catch (failure) {
            setError(failure);
            setIsRunning(false);
        }
    }
    return (_jsx(Modal, { opened: true, onClose: onClose, title: `${label} of ${name}`, children: _jsxs(Stack, { children: [_jsx(Group, { justify: "center", align: "end", gap: "xl", className: classes.preview, children: previewSizes.map((size) => (_jsx(ApplicationIcon, { name: name, url: image.url, size: size }, size))) }), error !== undefined && _jsx(FailureBanner, { error: error }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: onClose, children: "Cancel" }), _jsx(Button, { loading: isRunning, onClick: () => void save(), "data-autofocus": true, children: "Save" })] })] }) }));
}
