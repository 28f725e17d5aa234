import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, CopyButton, Popover, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconLink, IconQrcode, IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { uploadText } from '../../text/upload.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { showDone, showFailure } from '../../ui/toast.tsx';
/** What a person does with a build that has just been uploaded: open, copy the link, scan, share. */
export function UploadedBuildActions({ upload: { applicationId }, build }) {
    const { can } = useSession();
    const [isQrOpen, setIsQrOpen] = useState(false);
    const [isSharing, setIsSharing] = useState(false);
    const label = build.version;
    async function share() {
        setIsSharing(true);
        try {
            const { data } = await api.createBuildShareLink({
                application_id: applicationId,
                build_id: build.id,
                body: {},
            });
            await navigator.clipboard.writeText(data.url);
            showDone(uploadText.shareCopied);
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            setIsSharing(false);
        }
    }
    return (_jsxs(_Fragment, { children: [_jsx(CopyButton, { value: build.url, children: ({ copied, copy }) => (_jsx(Tooltip, { label: copied ? 'Copied' : 'Copy link', children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", onClick: copy, "aria-label": `Copy link to ${label}`, children: copied ? _jsx(IconCheck, { size: 18, color: "var(--q-good)" }) : _jsx(IconLink, { size: 18 }) }) })) }), _jsxs(Popover, { opened: isQrOpen, onChange: setIsQrOpen, withArrow: true, trapFocus: true, returnFocus: true, children: [_jsx(Popover.Target, { children: _jsx(Tooltip, { label: "QR code", children: _jsx(ActionIcon, { variant: "subtle", color: "gray", size: "lg", "aria-label": `QR code of ${label}`, onClick: () => setIsQrOpen(!isQrOpen), children: _jsx(IconQrcode, { size: 18 }) }) }) }), _jsxs(Popover.Dropdown, { children: [isQrOpen && _jsx(QrCode, { text: build.url, label: `QR code with the link to ${label}` }), _jsx(Text, { fz: "xs", c: "dimmed", ta: "center", mt: 4, children: "Scan to open on your phone" })] })] }), can('share_links:create', applicationId) && (_jsx(Button, { variant: "default", size: "xs", leftSection: _jsx(IconShare, { size: 14 }), loading: isSharing, onClick: () => void share(), children: "Share" })), _jsx(ButtonLink, { "aria-label": `Open build ${label}`, size: "xs", variant: "light", to: "/applications/$applicationId/builds/$buildId", params: { applicationId, buildId: build.id }, children: "Open build" })] }));
}
