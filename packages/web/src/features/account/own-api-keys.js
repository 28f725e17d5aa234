import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { accountText } from '../../text/account.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { ownApiKeysQuery } from './account.queries.ts';
/** Lists the workspace keys that the person has created. */
export function OwnApiKeys() {
    const { user } = useSession();
    const query = useQuery(ownApiKeysQuery(user.id));
    const manage = (_jsx(ButtonLink, { to: "/settings", search: { section: 'api-keys' }, variant: "default", children: "Manage API keys" }));
    return (_jsx(SettingsSection, { title: "API keys", description: accountText.apiKeys, action: manage, children: _jsx(Loaded, { query: query, rows: 2, children: (keys) => keys.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconKey, { size: 22 }), title: "You have created no workspace keys", action: _jsx(CommandLine, { code: "quayside keys create ci --scope builds:create" }), children: accountText.apiKeysEmpty })) : (_jsx(ItemList, { label: "API keys", children: keys.map((key) => (_jsx(Item, { leading: _jsx(IconKey, { size: 20 }), title: key.name, detail: _jsxs(_Fragment, { children: [_jsxs("code", { children: [key.prefix, "\u2026"] }), _jsx("span", { children: key.last_used_at === null ? ('Never used') : (_jsxs(_Fragment, { children: ["Last used ", _jsx(RelativeTime, { time: key.last_used_at })] })) }), key.expires_at !== null && (_jsxs("span", { children: ["Expires ", _jsx(RelativeTime, { time: key.expires_at })] }))] }) }, key.id))) })) }) }));
}
