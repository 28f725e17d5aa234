import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, CopyButton, Menu, Popover, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconDots, IconDownload, IconLink, IconLock, IconLockOpen, IconPackageExport, IconQrcode, IconRestore, IconTrash, } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { MenuItemLink } from '../../ui/button-link.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { useBuildAction } from './build-actions.ts';
import { buildChanges } from './build-changes.ts';
import classes from './build-table.module.css';
import { versionText } from './build.queries.ts';
import { downloadBuild } from './download-build.ts';
/** The QR code, the link and the menu of a row. */
export function BuildRowActions({ applicationId, build }) {
    const [isQrOpen, setIsQrOpen] = useState(false);
    const label = versionText(build);
    return (_jsxs(_Fragment, { children: [_jsxs(Popover, { opened: isQrOpen, onChange: setIsQrOpen, position: "left", withArrow: true, trapFocus: true, returnFocus: true, children: [_jsx(Popover.Target, { children: _jsx(Tooltip, { label: "QR code", children: _jsx(ActionIcon, { className: classes.action, variant: "subtle", color: "gray", "aria-label": `QR code of ${label}`, onClick: () => setIsQrOpen(!isQrOpen), children: _jsx(IconQrcode, { size: 16 }) }) }) }), _jsxs(Popover.Dropdown, { children: [isQrOpen && _jsx(QrCode, { text: build.modal_url, label: `QR code with the link to ${label}` }), _jsx(Text, { fz: "xs", c: "dimmed", ta: "center", mt: 4, children: "Scan to open on your phone" })] })] }), _jsx(CopyButton, { value: build.modal_url, children: ({ copied, copy }) => (_jsx(Tooltip, { label: copied ? 'Copied' : 'Copy link', children: _jsx(ActionIcon, { className: classes.action, variant: "subtle", color: "gray", onClick: copy, "aria-label": `Copy link to ${label}`, children: copied ? _jsx(IconCheck, { size: 16, color: "var(--q-good)" }) : _jsx(IconLink, { size: 16 }) }) })) }), _jsx(BuildMenu, { applicationId: applicationId, build: build })] }));
}
function BuildMenu({ applicationId, build }) {
    const { can } = useSession();
    const run = useBuildAction(applicationId);
    const canWrite = can('builds:write', applicationId);
    const isTrashed = build.deleted_at !== undefined;
    return (_jsxs(Menu, { position: "bottom-end", width: 200, children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": `Actions for ${versionText(build)}`, children: _jsx(IconDots, { size: 16 }) }) }), _jsxs(Menu.Dropdown, { children: [!isTrashed && (_jsx(Menu.Item, { leftSection: _jsx(IconDownload, { size: 16 }), onClick: () => void downloadBuild(applicationId, build.id), children: "Download" })), !isTrashed && can('releases:create', applicationId) && (_jsx(MenuItemLink, { leftSection: _jsx(IconPackageExport, { size: 16 }), to: "/applications/$applicationId/releases/new", params: { applicationId }, search: { builds: build.id }, children: "New release" })), _jsx(CopyButton, { value: build.modal_url, children: ({ copy }) => (_jsx(Menu.Item, { leftSection: _jsx(IconLink, { size: 16 }), onClick: copy, children: "Copy link" })) }), _jsx(CopyButton, { value: build.id, children: ({ copy }) => (_jsx(Menu.Item, { leftSection: _jsx(IconCopy, { size: 16 }), onClick: copy, children: "Copy ID" })) }), canWrite && !isTrashed && (_jsxs(_Fragment, { children: [_jsx(Menu.Item, { leftSection: build.keep_forever ? _jsx(IconLockOpen, { size: 16 }) : _jsx(IconLock, { size: 16 }), onClick: () => void run([build], build.keep_forever ? buildChanges.unkeep() : buildChanges.keep()), children: build.keep_forever ? 'Do not keep' : 'Keep forever' }), _jsx(Menu.Divider, {}), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => void run([build], buildChanges.delete()), children: "Delete" })] })), canWrite && isTrashed && (_jsx(Menu.Item, { leftSection: _jsx(IconRestore, { size: 16 }), onClick: () => void run([build], buildChanges.restore()), children: "Restore" }))] })] }));
}
