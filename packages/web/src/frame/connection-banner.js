import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useNetwork } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useIsFetching } from '@tanstack/react-query';
import classes from './connection-banner.module.css';
/** Says that the browser is offline. Requests wait until it is online again, and nothing typed is lost. */
export function ConnectionBanner() {
    const { online } = useNetwork();
    const waiting = useIsFetching({ predicate: ({ state }) => state.fetchStatus === 'paused' });
    if (online)
        return null;
    return (_jsxs("div", { className: classes.banner, role: "status", children: [_jsx(IconPlugConnectedX, { size: 16 }), "You are offline. ", waiting > 0 ? 'This page loads when you are back online.' : 'What you typed is kept.'] }));
}
