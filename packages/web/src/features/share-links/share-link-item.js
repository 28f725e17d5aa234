import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, CopyButton, Popover, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconKey, IconPlayerPlay, IconPlugConnectedX, IconQrcode, IconTrash, } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { shareLinkText } from '../../text/share-link.ts';
import { formatCount } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { absoluteTime } from '../../ui/time.ts';
import { showFailure, showUndo } from '../../ui/toast.tsx';
import classes from './share-link-list.module.css';
import { keyOfShareables, shareLinksQuery, stateOf } from './share-link.queries.ts';
/** A share link with its limits and how often it was used. */
export function ShareLinkItem({ link, shareable }) {
    const state = stateOf(link);
    const limit = link.max_downloads === null ? '' : ` of ${formatCount(link.max_downloads)}`;
    return (_jsxs("li", { className: classes.link, "data-unusable": (state !== 'active' && state !== 'locked') || undefined, children: [_jsxs("div", { children: [_jsx("div", { className: classes.url, children: _jsx(Copyable, { value: link.url, label: "share link", mono: true, children: link.url.replace(/^https?:\/\//, '') }) }), _jsxs("div", { className: classes.facts, children: [_jsx("span", { className: classes.state, "data-state": state, children: state }), _jsxs("span", { children: [_jsx(IconDownload, { size: 13, "aria-hidden": true }), formatCount(link.download_count), limit, " ", link.download_count === 1 && limit === '' ? 'download' : 'downloads'] }), link.password_protected && (_jsxs("span", { children: [_jsx(IconKey, { size: 13, "aria-hidden": true }), " password"] })), _jsx("span", { children: link.expires_at === null ? ('never expires') : (_jsxs(_Fragment, { children: [link.expired ? 'expired' : 'expires', " ", _jsx(RelativeTime, { time: link.expires_at })] })) }), _jsxs("span", { children: ["created ", _jsx(RelativeTime, { time: link.created_at })] })] }), link.locked_until !== null && (_jsx(Text, { fz: "xs", c: "var(--q-warn)", children: shareLinkText.locked(absoluteTime(link.locked_until)) }))] }), _jsx(ItemActions, { link: link, shareable: shareable })] }));
}
function ItemActions({ link, shareable }) {
    const [isDeleting, setIsDeleting] = useState(false);
    const queryClient = useQueryClient();
    const { can } = useSession();
    const { queryKey } = shareLinksQuery(shareable);
    const canWrite = can('share_links:write', shareable.applicationId);
    async function setActive(isActive) {
        const show = (is_active) => queryClient.setQueryData(queryKey, (links) => links?.map((each) => (each.id === link.id ? { ...each, is_active } : each)));
        show(isActive);
        try {
            await api.updateShareLink({ share_link_id: link.id, body: { is_active: isActive } });
            showUndo(isActive ? shareLinkText.reactivated : shareLinkText.revoked, () => void setActive(!isActive));
        }
        catch (error) {
            show(!isActive);
            showFailure(error);
        }
        finally {
            void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) });
        }
    }
    return (_jsxs("div", { className: classes.actions, children: [_jsx(CopyButton, { value: link.url, children: ({ copied, copy }) => (_jsx(Tooltip, { label: copied ? 'Copied' : 'Copy link', children: _jsx(ActionIcon, { variant: "subtle", color: "gray", onClick: copy, "aria-label": "Copy link", children: copied ? _jsx(IconCheck, { size: 16, color: "var(--q-good)" }) : _jsx(IconCopy, { size: 16 }) }) })) }), _jsxs(Popover, { position: "bottom-end", withArrow: true, trapFocus: true, returnFocus: true, children: [_jsx(Popover.Target, { children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": "QR code of the link", children: _jsx(IconQrcode, { size: 16 }) }) }), _jsx(Popover.Dropdown, { children: _jsx(QrCode, { text: link.url, label: "QR code of the share link" }) })] }), canWrite && (_jsxs(_Fragment, { children: [_jsx(Tooltip, { label: link.is_active ? 'Revoke' : 'Reactivate', children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": link.is_active ? 'Revoke the link' : 'Reactivate the link', onClick: () => void setActive(!link.is_active), children: link.is_active ? _jsx(IconPlugConnectedX, { size: 16 }) : _jsx(IconPlayerPlay, { size: 16 }) }) }), _jsx(Tooltip, { label: "Delete", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", "aria-label": "Delete the link", onClick: () => setIsDeleting(true), children: _jsx(IconTrash, { size: 16 }) }) })] })), isDeleting && (_jsx(ConfirmDialog, { title: shareLinkText.deleteTitle, confirmLabel: "Delete share link", isDangerous: true, onClose: () => setIsDeleting(false), onConfirm: async () => {
                    await api.deleteShareLink({ share_link_id: link.id });
                    await queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) });
                }, children: shareLinkText.deleteWarning }))] }));
}
