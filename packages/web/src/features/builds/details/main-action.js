import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Popover, Text } from '@mantine/core';
import { IconDeviceMobile, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { buildText } from '../../../text/build.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { showFailure } from '../../../ui/toast.tsx';
import { versionText } from '../build.queries.ts';
import { downloadBuild, startDownload } from '../download-build.ts';
import classes from './build-header.module.css';
import { mainActionOf, thisDevice } from './device.ts';
/** The one thing that most people want from a build on their device. */
export function MainAction({ build }) {
    const kind = mainActionOf(build, thisDevice());
    const download = () => void downloadBuild(build.application_id, build.id);
    if (kind === 'install')
        return _jsx(InstallButton, { build: build });
    if (kind === 'download')
        return (_jsx("div", { className: classes.main, children: _jsx(Button, { leftSection: _jsx(IconDownload, { size: 16 }), onClick: download, children: "Download" }) }));
    return (_jsxs("div", { className: classes.main, children: [_jsx(Button, { variant: "default", leftSection: _jsx(IconDownload, { size: 16 }), onClick: download, children: "Download" }), _jsx(ScanButton, { build: build })] }));
}
function ScanButton({ build }) {
    return (_jsxs(Popover, { position: "bottom-end", trapFocus: true, returnFocus: true, withArrow: true, children: [_jsx(Popover.Target, { children: _jsx(Button, { leftSection: _jsx(IconDeviceMobile, { size: 16 }), children: "Open on phone" }) }), _jsxs(Popover.Dropdown, { w: 232, ta: "center", children: [_jsx(QrCode, { text: build.modal_url, label: `QR code with the link to ${versionText(build)}`, size: 200 }), _jsx(Text, { fz: "sm", fw: 600, mt: 4, children: buildText.install.scan }), _jsx(Text, { fz: "xs", c: "dimmed", children: buildText.install.scanDetail })] })] }));
}
/** Downloads an APK, which Android then offers to install. */
function InstallButton({ build }) {
    const [isRefused, setIsRefused] = useState(false);
    async function install() {
        try {
            const { primary_file: file, universal_apk: apk } = await api.getBuildDownload({
                application_id: build.application_id,
                build_id: build.id,
            });
            const isBundle = build.primary_file.filetype.identifier === 'aab';
            if (isBundle && apk === undefined)
                setIsRefused(true);
            else
                startDownload((apk ?? file).temp_url);
        }
        catch (error) {
            showFailure(error);
        }
    }
    return (_jsxs("div", { className: classes.main, children: [_jsx(Button, { leftSection: _jsx(IconDownload, { size: 16 }), disabled: isRefused, onClick: () => void install(), children: "Install" }), isRefused && _jsx("span", { className: classes.reason, children: buildText.install.bundle })] }));
}
