import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Menu, Switch, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { apiKeyText } from '../../text/api-keys.ts';
import { plural } from '../../ui/bytes.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useNow } from '../../ui/now.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { workspaceMembersQuery } from '../members/member.queries.ts';
import { apiKeysQuery, descendantsOf, keyState } from './api-key.queries.ts';
import { NewApiKeyDialog } from './new-api-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
/** The API keys of an application, or of the workspace without an ID. */
export function ApiKeysSection({ applicationId }) {
    const query = useQuery(apiKeysQuery(applicationId));
    const { data: members = [] } = useQuery(workspaceMembersQuery);
    const { can } = useSession();
    const now = useNow();
    const [showsAll, setShowsAll] = useState(false);
    const [isCreating, { open, close }] = useDisclosure();
    const [revoking, setRevoking] = useState();
    const isValid = (key) => keyState(key, now) === 'valid';
    const creatorOf = ({ created_by: id }, keys) => [...members, ...keys].find((each) => each.id === id)?.name;
    return (_jsxs(SettingsSection, { title: "API keys", description: applicationId === undefined ? apiKeyText.ofWorkspace : apiKeyText.ofApplication, action: can('api_keys:create') && _jsx(Button, { onClick: open, children: "New API key" }), children: [_jsx(Loaded, { query: query, children: (keys) => {
                    const ended = keys.filter((key) => !isValid(key)).length;
                    const shown = showsAll ? keys : keys.filter(isValid);
                    return (_jsxs(_Fragment, { children: [shown.length === 0 ? (_jsx(NoKeys, { applicationId: applicationId, hasEnded: ended > 0 })) : (_jsx(ItemList, { label: "API keys", children: shown.map((key) => (_jsx(KeyItem, { apiKey: key, state: keyState(key, now), creator: creatorOf(key, keys), onRevoke: can('api_keys:write') ? () => setRevoking(key) : undefined }, key.id))) })), ended > 0 && (_jsx(Switch, { mt: "md", size: "xs", label: `Show ${plural(ended, 'key')} that expired or ${ended === 1 ? 'was' : 'were'} revoked`, checked: showsAll, onChange: (event) => setShowsAll(event.currentTarget.checked) })), revoking !== undefined && (_jsx(RevokeKeyDialog, { apiKey: revoking, descendants: descendantsOf(revoking.id, keys).filter(isValid), onClose: () => setRevoking(undefined) }))] }));
                } }), isCreating && _jsx(NewApiKeyDialog, { applicationId: applicationId, onClose: close })] }));
}
function KeyItem({ apiKey, state, creator, onRevoke }) {
    const { name, prefix, last_used_at: usedAt, expires_at: endsAt, scopes } = apiKey;
    return (_jsx(Item, { leading: _jsx(IconKey, { size: 18 }), isMuted: state !== 'valid', title: _jsxs(_Fragment, { children: [name, state !== 'valid' && (_jsx(StateBadge, { tone: state === 'revoked' ? 'bad' : 'neutral', children: state }))] }), detail: _jsxs(_Fragment, { children: [_jsxs("code", { children: [prefix, "\u2026"] }), _jsx(ScopeSummary, { scopes: scopes }), creator !== undefined && _jsxs("span", { children: ["by ", creator] })] }), end: _jsxs("div", { children: [_jsx("div", { children: usedAt === null ? ('Never used') : (_jsxs(_Fragment, { children: ["Used ", _jsx(RelativeTime, { time: usedAt })] })) }), state === 'valid' && (_jsx("div", { children: endsAt === null ? ('Never expires') : (_jsxs(_Fragment, { children: ["Expires ", _jsx(RelativeTime, { time: endsAt })] })) }))] }), menu: state === 'valid' &&
            onRevoke !== undefined && (_jsx(RowMenu, { label: `Actions for ${name}`, children: _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconBan, { size: 16 }), onClick: onRevoke, children: "Revoke" }) })) }));
}
const maxShownScopes = 3;
/** Shows the first scopes, and all of them on hover or focus. */
function ScopeSummary({ scopes }) {
    if (scopes.length <= maxShownScopes)
        return _jsx("span", { children: scopes.join(', ') });
    return (_jsx(Tooltip, { label: scopes.join(', '), multiline: true, maw: 320, events: { hover: true, focus: true, touch: true }, children: _jsxs("span", { tabIndex: 0, children: [scopes.slice(0, maxShownScopes - 1).join(', '), " and ", scopes.length - maxShownScopes + 1, " more"] }) }));
}
function NoKeys({ applicationId, hasEnded }) {
    const target = applicationId === undefined ? '' : ` --application ${applicationId}`;
    return (_jsx(EmptyState, { icon: _jsx(IconKey, { size: 22 }), title: hasEnded ? 'No valid API keys' : 'No API keys yet', action: _jsx(CommandLine, { code: `quayside keys create ci${target} --scope builds:create --expires 90d` }), children: hasEnded ? apiKeyText.noneValid : apiKeyText.none }));
}
