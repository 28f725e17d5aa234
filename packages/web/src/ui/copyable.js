import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { CopyButton, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copyable.module.css';
/** Shows a value that is copied with a click. */
export function Copyable({ value, label, children, mono = false }) {
    return (_jsx(CopyButton, { value: value, timeout: 1500, children: ({ copied, copy }) => (_jsx(Tooltip, { label: copied ? 'Copied' : `Copy ${label}`, children: _jsxs(UnstyledButton, { className: classes.copyable, "data-mono": mono || undefined, onClick: (event) => {
                    event.preventDefault();
                    event.stopPropagation();
                    copy();
                }, children: [_jsxs(VisuallyHidden, { children: ["Copy ", label] }), _jsx("span", { className: classes.text, children: children ?? value }), copied ? _jsx(IconCheck, { size: 14, color: "var(--q-good)" }) : _jsx(IconCopy, { size: 14 })] }) })) }));
}
