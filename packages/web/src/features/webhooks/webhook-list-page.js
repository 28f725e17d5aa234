import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Skeleton, Stack } from '@mantine/core';
import { IconPlus, IconShieldCheck, IconWebhook } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { serviceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { usePageActions } from '../../frame/page-actions.ts';
import { webhookText } from '../../text/webhooks.ts';
import { plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { SignatureChecker } from './signature-checker.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import classes from './webhook-list-page.module.css';
import { WebhookRow } from './webhook-row.tsx';
import { webhooksQuery } from './webhook.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/webhooks');
/** The webhooks of an application with their health. */
export function WebhookListPage() {
    const { applicationId } = route.useParams();
    const { can } = useSession();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { data: webhooks, error, refetch } = useQuery(webhooksQuery(applicationId));
    const [opened, setOpened] = useState();
    const canCreate = can('webhooks:create', applicationId);
    usePageActions(useMemo(() => [
        ...(canCreate
            ? [{ id: 'new-webhook', label: 'New webhook', onClick: () => setOpened('create') }]
            : []),
        { id: 'check-signature', label: 'Check a webhook signature', onClick: () => setOpened('checker') },
    ], [canCreate]));
    const failing = webhooks?.filter((webhook) => webhook.is_active && webhook.failing_since !== null).length ?? 0;
    const createButton = (_jsx(Button, { leftSection: _jsx(IconPlus, { size: 16 }), onClick: () => setOpened('create'), children: "New webhook" }));
    return (_jsxs(_Fragment, { children: [_jsx(PageHeader, { title: "Webhooks", documentTitle: `${application.name} · Webhooks`, facts: webhooks === undefined
                    ? '\u00A0'
                    : `${plural(webhooks.length, 'webhook')}${failing === 0 ? '' : ` · ${failing} failing`}`, actions: _jsxs(_Fragment, { children: [_jsx(Button, { variant: "default", leftSection: _jsx(IconShieldCheck, { size: 16 }), onClick: () => setOpened('checker'), children: "Check a signature" }), canCreate && webhooks?.length !== 0 && createButton] }) }), error !== null && _jsx(FailureBanner, { error: error, onRetry: () => void refetch() }), webhooks === undefined && error === null && (_jsx(Stack, { gap: 0, "aria-busy": true, children: Array.from({ length: 3 }, (_, index) => (_jsx(Skeleton, { height: 72, mb: 8, radius: "lg" }, index))) })), webhooks?.length === 0 && (_jsxs(EmptyState, { icon: _jsx(IconWebhook, { size: 22 }), title: "No webhooks yet", action: canCreate ? (_jsxs(_Fragment, { children: [createButton, _jsx(CommandLine, { code: `quayside webhooks create https://example.com/hook --event build.created --application ${applicationId} --server ${serviceUrl}` })] })) : undefined, children: [webhookText.noWebhooks, " ", _jsx("a", { href: `${serviceUrl}/docs/webhooks`, children: "Read how webhooks work" }), "."] })), webhooks !== undefined && webhooks.length > 0 && (_jsx("ul", { className: classes.list, children: webhooks.map((webhook) => (_jsx(WebhookRow, { webhook: webhook }, webhook.id))) })), opened === 'create' && (_jsx(WebhookDialog, { applicationId: applicationId, onClose: () => setOpened(undefined) })), opened === 'checker' && _jsx(SignatureChecker, { onClose: () => setOpened(undefined) })] }));
}
