import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconFilterOff, IconPackageExport } from '@tabler/icons-react';
import { serviceUrl } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { CommandLine } from '../../../ui/command-line.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
/** Explains what a release is, or that the filters match none. */
export function NoReleases({ applicationId, isFiltered, onClear }) {
    const { can } = useSession();
    if (isFiltered)
        return (_jsx(EmptyState, { icon: _jsx(IconFilterOff, { size: 22 }), title: "No releases match", action: _jsx(Button, { variant: "default", onClick: onClear, children: "Clear the filters" }), children: releaseText.list.noMatch }));
    const command = `quayside releases create 1.0.0 --title "First release" --build latest \\\n  --application ${applicationId} --server ${serviceUrl}`;
    return (_jsx(EmptyState, { icon: _jsx(IconPackageExport, { size: 22 }), title: "No releases yet", action: can('releases:create', applicationId) ? (_jsxs(_Fragment, { children: [_jsx(ButtonLink, { to: "/applications/$applicationId/releases/new", params: { applicationId }, children: "Create a release" }), _jsx(CommandLine, { code: command, label: "release command" })] })) : undefined, children: releaseText.list.empty }));
}
