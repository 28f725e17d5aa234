import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconFilterOff, IconPackage, IconTrash } from '@tabler/icons-react';
import { serviceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
/** Explains why the list is empty, and offers the first upload. */
export function NoBuilds({ application, isFiltered, isTrash, onClear }) {
    const { can } = useSession();
    if (isFiltered)
        return (_jsx(EmptyState, { icon: _jsx(IconFilterOff, { size: 22 }), title: "No builds match", action: _jsx(Button, { variant: "default", onClick: onClear, children: "Clear the filters" }), children: "Remove a filter above, or search for another version, branch, commit or file name." }));
    if (isTrash)
        return (_jsx(EmptyState, { icon: _jsx(IconTrash, { size: 22 }), title: "The trash is empty", children: "Deleted builds stay here for a few days and can be restored until then." }));
    const command = `quayside upload ./app-1.0.0.zip --application ${application.id} --server ${serviceUrl}`;
    return (_jsxs(EmptyState, { icon: _jsx(IconPackage, { size: 22 }), title: "No builds yet", action: can('builds:create', application.id) ? (_jsxs(_Fragment, { children: [_jsx(ButtonLink, { to: "/upload", search: { application: application.id }, children: "Upload the first build" }), _jsx(CommandLine, { code: command, label: "upload command" })] })) : undefined, children: ["Upload a file of any platform: drop it on the upload page, run the command below, or upload from CI (", _jsx("a", { href: `${serviceUrl}/docs/ci`, children: "how to upload from CI" }), ")."] }));
}
