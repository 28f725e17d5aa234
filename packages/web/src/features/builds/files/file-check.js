import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconCircleCheck, IconFileAlert, IconFingerprint, IconX } from '@tabler/icons-react';
import { buildText } from '../../../text/build.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { Banner } from '../details/banner.tsx';
import classes from './files.module.css';
import { useFileCheck } from './use-file-check.ts';
import { useFileDrop } from './use-file-drop.ts';
/** Compares a local file with the build as soon as it is dropped anywhere on the page. */
export function FileCheck({ build }) {
    const { state, start, clear } = useFileCheck(build);
    const isDragging = useFileDrop(start);
    return (_jsxs(_Fragment, { children: [isDragging && (_jsxs("div", { className: classes.overlay, children: [_jsx("strong", { children: buildText.verify.drop }), _jsx("span", { children: buildText.verify.dropDetail })] })), state !== undefined && _jsx(CheckBanner, { state: state, onClose: clear })] }));
}
function CheckBanner({ state, onClose }) {
    const close = (_jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": "Dismiss", onClick: onClose, children: _jsx(IconX, { size: 16 }) }));
    const { file, result } = state;
    if (state.error !== undefined)
        return (_jsx(Banner, { tone: "bad", icon: _jsx(IconFileAlert, { size: 18, "aria-hidden": true }), title: file.name, action: close, children: state.error }));
    if (result === undefined)
        return (_jsxs(Banner, { icon: _jsx(IconFingerprint, { size: 18, "aria-hidden": true }), title: `Reading ${file.name}`, action: _jsx(Button, { size: "xs", variant: "default", onClick: onClose, children: "Cancel" }), children: [_jsxs("span", { className: "tabular", children: [formatBytes(state.hashedBytes), " of ", formatBytes(file.size)] }), _jsx(Progress, { size: "sm", mt: 6, value: (state.hashedBytes / Math.max(1, file.size)) * 100, "aria-label": "Progress" })] }));
    if (result.kind === 'unknown')
        return (_jsx(Banner, { tone: "warn", icon: _jsx(IconFingerprint, { size: 18, "aria-hidden": true }), title: file.name, action: close, children: buildText.verify.noChecksum }));
    if (result.kind === 'matches')
        return (_jsx(Banner, { tone: "good", icon: _jsx(IconCircleCheck, { size: 18, "aria-hidden": true }), title: buildText.verify.matches(result.file.filename), action: close, children: state.sha256 !== undefined && _jsx(Copyable, { value: state.sha256, label: "SHA-256", mono: true }) }));
    return (_jsx(Banner, { tone: "bad", icon: _jsx(IconFileAlert, { size: 18, "aria-hidden": true }), title: buildText.verify.differs(result.file.filename), action: close, children: result.file.size_bytes === file.size
            ? buildText.verify.differsDetail
            : buildText.verify.sizes(sizeText(result.file.size_bytes, file.size), sizeText(file.size, result.file.size_bytes)) }));
}
/** Returns a size in bytes if the rounded size would be the same as the other. */
function sizeText(bytes, other) {
    const rounded = formatBytes(bytes);
    return rounded === formatBytes(other) ? `${bytes.toLocaleString('en')} bytes` : rounded;
}
