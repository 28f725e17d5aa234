import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone, showFailure } from '../../ui/toast.tsx';
import { accountSessionsQuery } from './account.queries.ts';
import { deviceName } from './device-name.ts';
/** Lists where the person is signed in, and ends one or all other sessions. */
export function SessionList() {
    const query = useQuery(accountSessionsQuery);
    const queryClient = useQueryClient();
    const [isEndingAll, setIsEndingAll] = useState(false);
    const refresh = () => queryClient.invalidateQueries({ queryKey: accountSessionsQuery.queryKey });
    async function endOthers() {
        await callSignIn('/sessions/revoke-others', {});
        await refresh();
        showDone('All other sessions ended.');
    }
    const hasOthers = query.data?.some(({ is_current: isCurrent }) => !isCurrent) === true;
    return (_jsxs(SettingsSection, { title: "Sessions", description: accountText.sessions, action: hasOthers ? (_jsx(Button, { variant: "default", onClick: () => setIsEndingAll(true), children: "End all others" })) : undefined, children: [_jsx(Loaded, { query: query, rows: 3, children: (sessions) => (_jsx(ItemList, { label: "Sessions", children: [...sessions]
                        .sort((a, b) => Number(b.is_current) - Number(a.is_current))
                        .map((session) => (_jsx(SessionItem, { session: session, onEnded: refresh }, session.id))) })) }), isEndingAll && (_jsx(ConfirmDialog, { title: "End all other sessions", confirmLabel: "End sessions", isDangerous: true, onConfirm: endOthers, onClose: () => setIsEndingAll(false), children: accountText.endOthers }))] }));
}
function SessionItem({ session, onEnded }) {
    const [isRunning, setIsRunning] = useState(false);
    const { browser, system, isPhone } = deviceName(session.user_agent);
    async function end() {
        setIsRunning(true);
        try {
            await callSignIn(`/sessions/${session.id}`, undefined, 'DELETE');
            await onEnded();
            showDone('Session ended.');
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            setIsRunning(false);
        }
    }
    return (_jsx(Item, { leading: isPhone ? _jsx(IconDeviceMobile, { size: 20 }) : _jsx(IconDeviceDesktop, { size: 20 }), title: _jsxs(_Fragment, { children: [_jsxs("span", { title: session.user_agent ?? undefined, children: [browser, " on ", system] }), session.is_current && (_jsx(Badge, { variant: "default", tt: "none", fw: 500, children: "This session" }))] }), detail: _jsxs(_Fragment, { children: [_jsx("span", { className: "tabular", children: session.ip_address ?? 'Unknown address' }), _jsxs("span", { children: ["Signed in ", _jsx(RelativeTime, { time: session.created_at })] }), session.last_renewed_at !== session.created_at && (_jsxs("span", { children: ["Renewed ", _jsx(RelativeTime, { time: session.last_renewed_at })] }))] }), end: session.is_current ? undefined : (_jsx(Button, { variant: "default", size: "xs", loading: isRunning, onClick: () => void end(), "aria-label": `End the session of ${browser} on ${system}`, children: "End" })) }));
}
