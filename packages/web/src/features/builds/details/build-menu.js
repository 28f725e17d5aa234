import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ActionIcon, CopyButton, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconFolder, IconLink, IconLock, IconLockOpen, IconPackageExport, IconTerminal2, IconTrash, } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { MenuItemLink } from '../../../ui/button-link.tsx';
import { useDialogFocus } from '../../../ui/use-dialog-focus.ts';
import { buildChanges } from '../build-changes.ts';
import { streamsQuery, versionText } from '../build.queries.ts';
import { CommandsDialog } from './commands-dialog.tsx';
import { DeleteBuildDialog } from './delete-build-dialog.tsx';
import { useBuildChange } from './use-build-change.ts';
/** The less frequent actions of a build. */
export function BuildMenu({ build }) {
    const [dialog, setDialog] = useState();
    const { button, returnFocus } = useDialogFocus();
    const { can } = useSession();
    const change = useBuildChange(build);
    const applicationId = build.application_id;
    const canWrite = can('builds:write', applicationId);
    const close = () => {
        setDialog(undefined);
        returnFocus();
    };
    const isHeld = build.kept_by.some(({ reason }) => reason !== 'keep_forever');
    return (_jsxs(_Fragment, { children: [_jsxs(Menu, { position: "bottom-end", width: 220, children: [_jsx(Menu.Target, { children: _jsx(ActionIcon, { ref: button, variant: "default", size: 36, "aria-label": `Actions for ${versionText(build)}`, children: _jsx(IconDots, { size: 18 }) }) }), _jsxs(Menu.Dropdown, { children: [can('releases:create', applicationId) && (_jsx(MenuItemLink, { leftSection: _jsx(IconPackageExport, { size: 16 }), to: "/applications/$applicationId/releases/new", params: { applicationId }, search: { builds: build.id }, children: "New release" })), canWrite && (_jsxs(_Fragment, { children: [_jsx(MoveItems, { build: build }), _jsx(Menu.Item, { leftSection: build.keep_forever ? _jsx(IconLockOpen, { size: 16 }) : _jsx(IconLock, { size: 16 }), onClick: () => void change(build.keep_forever ? buildChanges.unkeep() : buildChanges.keep()), children: build.keep_forever ? 'Do not keep' : 'Keep forever' })] })), _jsx(Menu.Divider, {}), _jsx(CopyItem, { value: build.id, icon: _jsx(IconCopy, { size: 16 }), label: "Copy ID" }), _jsx(CopyItem, { value: build.download_url, icon: _jsx(IconLink, { size: 16 }), label: "Copy API download URL" }), _jsx(Menu.Item, { leftSection: _jsx(IconTerminal2, { size: 16 }), onClick: () => setDialog('commands'), children: "Commands and API" }), canWrite && (_jsxs(_Fragment, { children: [_jsx(Menu.Divider, {}), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => (isHeld ? setDialog('delete') : void change(buildChanges.delete())), children: "Delete" })] }))] })] }), dialog === 'commands' && _jsx(CommandsDialog, { build: build, onClose: close }), dialog === 'delete' && _jsx(DeleteBuildDialog, { build: build, onClose: close })] }));
}
function MoveItems({ build }) {
    const { data: streams = [] } = useQuery(streamsQuery(build.application_id));
    const change = useBuildChange(build);
    return (_jsxs(Menu.Sub, { children: [_jsx(Menu.Sub.Target, { children: _jsx(Menu.Sub.Item, { leftSection: _jsx(IconFolder, { size: 16 }), children: "Move to stream" }) }), _jsx(Menu.Sub.Dropdown, { children: streams.map((stream) => (_jsx(Menu.Item, { disabled: stream.id === build.stream.id, onClick: () => void change(buildChanges.move(stream, build.stream)), children: stream.name }, stream.id))) })] }));
}
function CopyItem({ value, icon, label }) {
    return (_jsx(CopyButton, { value: value, children: ({ copied, copy }) => (_jsx(Menu.Item, { leftSection: icon, onClick: copy, closeMenuOnClick: false, children: copied ? 'Copied' : label })) }));
}
