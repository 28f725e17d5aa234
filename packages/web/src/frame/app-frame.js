import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { refreshOnChange, watchLive } from '../api/live.ts';
import { useSessionRenewal } from '../api/session-renewal.ts';
import { DropOverlay } from '../features/uploads/drop-overlay.tsx';
import { SidebarUploads } from '../features/uploads/sidebar-uploads.tsx';
import { useUploadQueue } from '../features/uploads/upload-queue.ts';
import classes from './app-frame.module.css';
import { ConnectionBanner } from './connection-banner.tsx';
import { Logo } from './logo.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
const CommandPalette = lazy(async () => ({
    default: (await import('./command-palette.tsx')).CommandPalette,
}));
/** The frame of every page behind sign-in: the sidebar, which is a drawer on phones, and the page. */
export function AppFrame() {
    const [isMenuOpen, { open, close }] = useDisclosure();
    const path = useRouterState({ select: ({ location }) => location.pathname });
    const queryClient = useQueryClient();
    useSessionRenewal();
    useEffect(() => {
        const controller = new AbortController();
        watchLive(controller.signal);
        const stop = refreshOnChange(queryClient);
        return () => {
            stop();
            controller.abort();
        };
    }, [queryClient]);
    useUploadQueue();
    // A link in the drawer leads to a page that the drawer would cover.
    useEffect(() => close(), [path, close]);
    return (_jsxs("div", { className: classes.frame, children: [_jsx("a", { href: "#content", className: classes.skip, children: "Skip to content" }), _jsx("aside", { className: classes.sidebar, children: _jsx(Sidebar, {}) }), _jsxs("header", { className: classes.bar, children: [_jsx(ActionIcon, { variant: "subtle", color: "gray", size: "xl", onClick: open, "aria-label": "Open menu", children: _jsx(IconMenu2, { size: 22 }) }), _jsx(Logo, {}), _jsx(SidebarUploads, { isCompact: true })] }), _jsx(Drawer, { opened: isMenuOpen, onClose: close, size: "18rem", padding: 0, withCloseButton: false, attributes: { content: { 'aria-label': 'Menu' } }, children: _jsx(Sidebar, {}) }), _jsx(Shortcuts, {}), _jsx(DropOverlay, {}), _jsx(Suspense, { children: _jsx(CommandPalette, {}) }), _jsxs("main", { id: "content", className: classes.content, tabIndex: -1, children: [_jsx(ConnectionBanner, {}), _jsx("div", { className: classes.page, children: _jsx(Outlet, {}) })] })] }));
}
