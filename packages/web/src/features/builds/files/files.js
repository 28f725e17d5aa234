import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, Button, FileButton, Tooltip } from '@mantine/core';
import { IconDownload, IconFile, IconFileZip, IconFingerprint, IconPackage } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { buildText } from '../../../text/build.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { showFailure } from '../../../ui/toast.tsx';
import { startDownload } from '../download-build.ts';
import { checkFile } from './check-store.ts';
import { filesOf } from './files-of-build.ts';
import classes from './files.module.css';
/** The files of a build with their checksums, and the comparison with a local file. */
export function Files({ build }) {
    return (_jsxs(_Fragment, { children: [_jsxs("ul", { className: classes.list, children: [filesOf(build).map((file) => (_jsx(FileItem, { file: file, build: build }, file.id))), build.primary_file.filetype.identifier === 'aab' && _jsx(UniversalApk, { build: build })] }), _jsxs("div", { className: classes.check, children: [_jsx("span", { children: buildText.verify.hint }), _jsx(FileButton, { onChange: (file) => file !== null && checkFile(file), children: (props) => (_jsx(Button, { ...props, size: "xs", variant: "default", leftSection: _jsx(IconFingerprint, { size: 15 }), children: "Choose a file to verify" })) })] })] }));
}
function FileItem({ file, build }) {
    const role = file.id === build.primary_file.id ? 'Primary file' : 'Expansion file';
    const url = `${build.download_url.replace(/\/download$/, '/file')}?file_id=${file.id}`;
    return (_jsxs("li", { className: classes.file, children: [_jsx("span", { className: classes.icon, children: file.id === build.primary_file.id ? _jsx(IconPackage, { size: 20 }) : _jsx(IconFileZip, { size: 20 }) }), _jsxs("div", { children: [_jsx("div", { className: classes.name, children: file.filename }), _jsxs("div", { className: classes.meta, children: [role, " \u00B7", ' ', _jsx("span", { title: `${file.size_bytes.toLocaleString('en')} bytes`, children: formatBytes(file.size_bytes) }), ' ', "\u00B7 ", file.filetype.name] }), file.checksum_error === null ? (_jsxs("dl", { className: classes.sums, children: [_jsx(Checksum, { name: "SHA-256", value: file.checksum_sha256 }), _jsx(Checksum, { name: "MD5", value: file.checksum_md5 })] })) : (_jsxs("div", { className: classes.damaged, children: [buildText.files.damaged, ": ", file.checksum_error] }))] }), _jsx(Tooltip, { label: "Download", children: _jsx(ActionIcon, { variant: "default", size: 32, "aria-label": `Download ${file.filename}`, onClick: () => startDownload(url), children: _jsx(IconDownload, { size: 16 }) }) })] }));
}
function Checksum({ name, value }) {
    return (_jsxs(_Fragment, { children: [_jsx("dt", { children: name }), _jsx("dd", { children: value === null ? 'being computed…' : _jsx(Copyable, { value: value, label: name, mono: true }) })] }));
}
/** The APK that the service derives from an app bundle. Only the download links say whether there is one. */
function UniversalApk({ build }) {
    const [isMissing, setIsMissing] = useState(false);
    async function download() {
        try {
            const { universal_apk: apk } = await api.getBuildDownload({
                application_id: build.application_id,
                build_id: build.id,
            });
            if (apk === undefined)
                setIsMissing(true);
            else
                startDownload(apk.temp_url);
        }
        catch (error) {
            showFailure(error);
        }
    }
    return (_jsxs("li", { className: classes.file, children: [_jsx("span", { className: classes.icon, children: _jsx(IconFile, { size: 20 }) }), _jsxs("div", { children: [_jsx("div", { className: classes.name, children: "Universal APK" }), _jsx("div", { className: classes.meta, children: isMissing ? buildText.files.noUniversal : 'Derived from the bundle; installs on every device' })] }), _jsx(Tooltip, { label: "Download", children: _jsx(ActionIcon, { variant: "default", size: 32, "aria-label": "Download the universal APK", disabled: isMissing, onClick: () => void download(), children: _jsx(IconDownload, { size: 16 }) }) })] }));
}
