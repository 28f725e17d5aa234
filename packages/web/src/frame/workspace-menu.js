import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector, IconSettings } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { ApplicationIcon } from '../ui/application-icon.tsx';
import { MenuItemLink } from '../ui/button-link.tsx';
import { showFailure } from '../ui/toast.tsx';
import classes from './workspace-menu.module.css';
/** Shows the workspace and switches to another one. */
export function WorkspaceMenu() {
    const { workspace, workspaces } = useSession();
    const queryClient = useQueryClient();
    async function switchTo(id) {
        try {
            await api.replaceSessionWorkspace({ body: { workspace_id: id } });
            queryClient.clear();
            window.location.assign('./');
        }
        catch (error) {
            showFailure(error);
        }
    }
    return (_jsxs(Menu, { position: "bottom-start", width: "14rem", children: [_jsx(Menu.Target, { children: _jsxs(UnstyledButton, { className: classes.button, children: [_jsx(ApplicationIcon, { name: workspace.name, url: workspace.logo_url, size: 24 }), _jsx("span", { className: classes.name, children: workspace.name }), _jsx(IconSelector, { size: 16, color: "var(--q-soft)" })] }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Label, { children: "Workspaces" }), workspaces.map(({ id, name, logo_url: url }) => (_jsx(Menu.Item, { leftSection: _jsx(ApplicationIcon, { name: name, url: url, size: 20 }), rightSection: id === workspace.id ? _jsx(IconCheck, { size: 16, "aria-label": "Current workspace" }) : null, onClick: () => {
                            if (id !== workspace.id)
                                void switchTo(id);
                        }, children: name }, id))), _jsx(Menu.Divider, {}), _jsx(MenuItemLink, { to: "/settings", leftSection: _jsx(IconSettings, { size: 16 }), children: "Workspace settings" })] })] }));
}
