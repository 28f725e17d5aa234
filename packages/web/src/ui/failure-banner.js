import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { failureOf } from '../api/errors.ts';
import { Copyable } from './copyable.tsx';
/** Shows the server's own sentence about a failure, the request ID, and a button to try again. */
export function FailureBanner({ error, onRetry }) {
    const { message, requestId, isOffline } = failureOf(error);
    return (_jsx(Alert, { color: "red", variant: "light", role: "alert", icon: isOffline ? _jsx(IconPlugConnectedX, { size: 18 }) : _jsx(IconAlertTriangle, { size: 18 }), title: message, children: _jsxs(Group, { gap: "sm", justify: "space-between", children: [requestId === '' ? (_jsx("span", {})) : (_jsxs(Text, { fz: "xs", c: "dimmed", component: "div", children: ["Request", ' ', _jsx(Copyable, { value: requestId, label: "request ID", mono: true, children: requestId })] })), onRetry !== undefined && (_jsx(Button, { size: "xs", variant: "default", onClick: onRetry, children: "Try again" }))] }) }));
}
