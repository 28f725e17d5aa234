import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconBook, IconCode, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react';
import { serviceUrl } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { ApplicationIcon } from '../ui/application-icon.tsx';
import { MenuItemLink } from '../ui/button-link.tsx';
import { showFailure } from '../ui/toast.tsx';
import { openShortcuts } from './shortcuts-store.ts';
import classes from './workspace-menu.module.css';
const schemes = [
    { value: 'auto', label: 'System' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
];
/** Shows who is signed in, with their account, the color scheme and help. */
export function UserMenu() {
    const { user } = useSession();
    const { colorScheme, setColorScheme } = useMantineColorScheme();
    async function leave() {
        try {
            await signOut();
            window.location.assign(`${serviceUrl}/sign-in`);
        }
        catch (error) {
            showFailure(error);
        }
    }
    return (_jsxs(Menu, { position: "top-start", width: "15rem", children: [_jsx(Menu.Target, { children: _jsxs(UnstyledButton, { className: classes.button, children: [_jsx(ApplicationIcon, { name: user.name, url: user.profile_photo_url, size: 24, round: true }), _jsx("span", { className: classes.name, children: user.name })] }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Label, { children: user.email }), _jsx(MenuItemLink, { to: "/account", leftSection: _jsx(IconUser, { size: 16 }), children: "Your account" }), _jsx(SegmentedControl, { fullWidth: true, size: "xs", my: 4, data: schemes, value: colorScheme, onChange: (value) => setColorScheme(value), "aria-label": "Color scheme" }), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { leftSection: _jsx(IconKeyboard, { size: 16 }), onClick: openShortcuts, children: "Keyboard shortcuts" }), _jsx(Menu.Item, { component: "a", href: `${serviceUrl}/docs`, leftSection: _jsx(IconBook, { size: 16 }), children: "Documentation" }), _jsx(Menu.Item, { component: "a", href: `${serviceUrl}/api/v1/docs`, leftSection: _jsx(IconCode, { size: 16 }), children: "API reference" }), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { leftSection: _jsx(IconLogout, { size: 16 }), onClick: () => void leave(), children: "Sign out" })] })] }));
}
