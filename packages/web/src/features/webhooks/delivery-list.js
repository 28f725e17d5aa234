import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Select, Skeleton, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { optionalOneOf } from '../../api/search-params.ts';
import { eventTexts, stateNames, webhookText } from '../../text/webhooks.ts';
import { formatCount } from '../../ui/bytes.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import classes from './delivery-list.module.css';
import { DeliveryRow } from './delivery-row.tsx';
import { RedeliverDialog } from './redeliver-dialog.tsx';
import { useRedeliver } from './use-redeliver.ts';
import { webhookRequestsQuery } from './webhook.queries.ts';
const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId');
const states = ['delivered', 'waiting', 'failed'];
const eventNames = Object.keys(eventTexts);
/** The requests of a webhook, newest first. Its filters and the open request are in the URL. */
export function DeliveryList({ webhook, canWrite }) {
    const search = route.useSearch();
    const navigate = route.useNavigate();
    const filter = {
        state: optionalOneOf(search.state, states),
        event: optionalOneOf(search.event, eventNames),
    };
    const query = useInfiniteQuery(webhookRequestsQuery(webhook.application_id, webhook.id, filter));
    const [selected, setSelected] = useState(new Set());
    const [isRedelivering, setIsRedelivering] = useState(false);
    const redeliver = useRedeliver(webhook);
    const requests = query.data?.pages.flatMap(({ data }) => data) ?? [];
    const total = query.data?.pages[0]?.pagination.total ?? 0;
    const isFiltered = filter.state !== undefined || filter.event !== undefined;
    const open = (request) => void navigate({ search: (previous) => ({ ...previous, request }), replace: true });
    useListKeys(requests, search.request, open);
    const toggle = (id) => setSelected((current) => {
        const next = new Set(current);
        if (!next.delete(id))
            next.add(id);
        return next;
    });
    const chosen = requests.filter(({ id, state }) => selected.has(id) && state !== 'waiting');
    return (_jsxs("section", { "aria-label": "Requests", className: classes.pane, children: [_jsxs("div", { className: classes.filters, children: [_jsx(Select, { size: "xs", "aria-label": "Status", placeholder: "Any status", clearable: true, data: states.map((value) => ({ value, label: stateNames[value] })), value: filter.state ?? null, onChange: (state) => void navigate({ search: { ...search, state: state ?? undefined } }) }), _jsx(Select, { size: "xs", "aria-label": "Event", placeholder: "Any event", clearable: true, data: eventNames.map((value) => ({ value, label: eventTexts[value].title })), value: filter.event ?? null, onChange: (event) => void navigate({ search: { ...search, event: event ?? undefined } }) })] }), _jsx("div", { className: classes.bar, "aria-live": "polite", children: chosen.length > 0 ? (_jsxs(_Fragment, { children: [_jsxs("span", { children: [chosen.length, " selected"] }), _jsx(Button, { size: "compact-xs", variant: "default", loading: redeliver.isPending, leftSection: _jsx(IconRefresh, { size: 13 }), onClick: () => redeliver.mutate(chosen, { onSuccess: () => setSelected(new Set()) }), children: "Redeliver" }), _jsx(Button, { size: "compact-xs", variant: "subtle", color: "gray", onClick: () => setSelected(new Set()), children: "Clear" })] })) : (_jsxs(_Fragment, { children: [_jsx("span", { children: query.data === undefined ? '\u00A0' : `${formatCount(total)} in 30 days` }), canWrite && total > 0 && (_jsx(Button, { size: "compact-xs", variant: "subtle", color: "gray", leftSection: _jsx(IconRefresh, { size: 13 }), onClick: () => setIsRedelivering(true), children: "Redeliver\u2026" }))] })) }), query.error !== null && _jsx(FailureBanner, { error: query.error, onRetry: () => void query.refetch() }), _jsxs("ul", { className: classes.list, "data-stale": query.isPlaceholderData || undefined, children: [query.isPending &&
                        Array.from({ length: 8 }, (_, index) => _jsx(Skeleton, { height: 52, mb: 4 }, index)), requests.map((request) => (_jsx(DeliveryRow, { request: request, isOpen: request.id === search.request, onOpen: () => open(request.id), checkbox: canWrite && (_jsx(Checkbox, { size: "xs", "aria-label": "Select the request", checked: selected.has(request.id), disabled: request.state === 'waiting', onChange: () => toggle(request.id) })) }, request.id)))] }), query.data !== undefined && total === 0 && (_jsxs(Text, { className: classes.empty, fz: "sm", c: "dimmed", children: [_jsx("b", { children: isFiltered ? 'No requests match' : 'No requests yet' }), isFiltered ? webhookText.noMatchingDeliveries : webhookText.noDeliveries] })), query.hasNextPage && (_jsx(Button, { variant: "default", size: "xs", fullWidth: true, mt: "xs", loading: query.isFetchingNextPage, onClick: () => void query.fetchNextPage(), children: "Show older requests" })), isRedelivering && _jsx(RedeliverDialog, { webhook: webhook, onClose: () => setIsRedelivering(false) })] }));
}
/** Opens the next and the previous request with j and k. */
function useListKeys(requests, opened, open) {
    const move = (step) => {
        const position = requests.findIndex(({ id }) => id === opened);
        const next = requests[Math.min(requests.length - 1, Math.max(0, position + step))];
        if (next === undefined)
            return;
        open(next.id);
        document.querySelector(`[data-request="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
    };
    useHotkeys([
        ['j', () => move(1)],
        ['k', () => move(-1)],
    ]);
}
