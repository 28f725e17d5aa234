import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './command-line.module.css';
/** Shows a command or a snippet of code that can be copied. */
export function CommandLine({ code, label = 'command' }) {
    return (_jsxs("div", { className: classes.box, children: [_jsx("pre", { className: classes.code, tabIndex: 0, "aria-label": label, children: code }), _jsx(CopyButton, { value: code, timeout: 1500, children: ({ copied, copy }) => (_jsx(Tooltip, { label: copied ? 'Copied' : `Copy ${label}`, children: _jsx(ActionIcon, { variant: "subtle", color: "gray", onClick: copy, "aria-label": `Copy ${label}`, children: copied ? _jsx(IconCheck, { size: 16, color: "var(--q-good)" }) : _jsx(IconCopy, { size: 16 }) }) })) })] }));
}
