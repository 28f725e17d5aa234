import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { shareLinkText } from '../../text/share-link.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { Section } from '../../ui/section.tsx';
import { NewShareLinkDialog } from './new-share-link-dialog.tsx';
import { ShareLinkItem } from './share-link-item.tsx';
import classes from './share-link-list.module.css';
import { shareLinksQuery } from './share-link.queries.ts';
/** Lists the share links of a build or release, and creates, revokes and deletes them. */
export function ShareLinkList({ shareable, name }) {
    const [isDialogOpen, setIsDialogOpen] = useState(false);
    const { data: links, error, refetch } = useQuery(shareLinksQuery(shareable));
    const { can } = useSession();
    const canCreate = can('share_links:create', shareable.applicationId);
    const newButton = canCreate && (_jsx(Button, { size: "xs", variant: "default", leftSection: _jsx(IconPlus, { size: 15 }), onClick: () => setIsDialogOpen(true), children: "New share link" }));
    return (_jsxs(_Fragment, { children: [error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void refetch() }), links?.length === 0 && (_jsx(EmptyState, { icon: _jsx(IconLink, { size: 22 }), title: shareLinkText.emptyTitle, action: canCreate ? (_jsxs(_Fragment, { children: [newButton, _jsx(CommandLine, { code: commandFor(shareable), label: "share command" })] })) : undefined, children: shareLinkText.empty[shareable.type] })), links !== undefined && links.length > 0 && (_jsx(Section, { title: "Share links", actions: newButton, children: _jsx("ul", { className: classes.list, children: links.map((link) => (_jsx(ShareLinkItem, { link: link, shareable: shareable }, link.id))) }) })), isDialogOpen && (_jsx(NewShareLinkDialog, { shareable: shareable, name: name, onClose: () => setIsDialogOpen(false) }))] }));
}
function commandFor({ type, applicationId, id }) {
    const subject = type === 'build' ? id : `--release ${id}`;
    return `quayside share ${subject} --expires 7d \\\n  --application ${applicationId} --server ${serviceUrl}`;
}
