import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, CopyButton, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconLink, IconList, IconPlus, IconShare2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { MenuItemLink } from '../../../ui/button-link.tsx';
import { useDialogFocus } from '../../../ui/use-dialog-focus.ts';
import { NewShareLinkDialog } from '../../share-links/new-share-link-dialog.tsx';
import { versionText } from '../build.queries.ts';
/** Offers the link for members of the workspace, and links for everyone else. */
export function ShareMenu({ build }) {
    const [isDialogOpen, setIsDialogOpen] = useState(false);
    const { button, returnFocus } = useDialogFocus();
    const { can } = useSession();
    const applicationId = build.application_id;
    return (_jsxs(_Fragment, { children: [_jsxs(Menu, { position: "bottom-end", width: 260, children: [_jsx(Menu.Target, { children: _jsx(Button, { ref: button, variant: "default", leftSection: _jsx(IconShare2, { size: 16 }), rightSection: _jsx(IconChevronDown, { size: 14 }), children: "Share" }) }), _jsxs(Menu.Dropdown, { children: [_jsx(Menu.Label, { children: "For members of the workspace" }), _jsx(CopyButton, { value: build.modal_url, children: ({ copied, copy }) => (_jsx(Menu.Item, { closeMenuOnClick: false, leftSection: copied ? _jsx(IconCheck, { size: 16, color: "var(--q-good)" }) : _jsx(IconLink, { size: 16 }), onClick: copy, children: copied ? 'Copied' : 'Copy link to this page' })) }), can('share_links:read', applicationId) && (_jsxs(_Fragment, { children: [_jsx(Menu.Label, { children: "For people without an account" }), can('share_links:create', applicationId) && (_jsx(Menu.Item, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setIsDialogOpen(true), children: "New share link" })), _jsx(MenuItemLink, { leftSection: _jsx(IconList, { size: 16 }), to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, search: { tab: 'share-links' }, children: "Share links" })] }))] })] }), isDialogOpen && (_jsx(NewShareLinkDialog, { shareable: { type: 'build', applicationId, id: build.id }, name: versionText(build), onClose: () => {
                    setIsDialogOpen(false);
                    returnFocus();
                } }))] }));
}
