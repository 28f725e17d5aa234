import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Pagination, SegmentedControl } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { optionalOneOf } from '../../api/search-params.ts';
import { settingsText } from '../../text/settings.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Note } from '../../ui/note.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { mailPageQuery } from './mail.queries.ts';
const route = getRouteApi('/console/settings');
const states = ['waiting', 'sent', 'failed'];
const tones = { waiting: 'warn', sent: 'good', failed: 'bad' };
/** The outbox: every email of the workspace with its state and, until it is sent, its text. */
export function MailsSection() {
    const search = route.useSearch();
    const navigate = useNavigate();
    const state = optionalOneOf(search.state, states);
    const page = Number(search.page ?? 1);
    const query = useQuery(mailPageQuery(page, state));
    const show = (change) => void navigate({ to: '/settings', search: { section: 'emails', state, ...change } });
    return (_jsxs(SettingsSection, { title: "Emails", description: settingsText.emails, children: [_jsx(SegmentedControl, { mb: "md", size: "xs", "aria-label": "State", value: state ?? 'all', onChange: (value) => show({ state: value === 'all' ? undefined : value }), data: [
                    { value: 'all', label: 'All' },
                    { value: 'waiting', label: 'Waiting' },
                    { value: 'sent', label: 'Sent' },
                    { value: 'failed', label: 'Failed' },
                ] }), _jsx(Loaded, { query: query, children: ({ data: mails, pagination }) => mails.length === 0 ? (_jsx(EmptyState, { icon: _jsx(IconMail, { size: 22 }), title: "No emails", children: state === undefined ? settingsText.noEmails : settingsText.noEmailsInState })) : (_jsxs(_Fragment, { children: [_jsx(ItemList, { label: "Emails", children: mails.map((mail) => (_jsx(MailItem, { mail: mail }, mail.id))) }), pagination.last_page > 1 && (_jsx(Pagination, { mt: "md", total: pagination.last_page, value: page, onChange: (next) => show({ page: String(next) }), getControlProps: (control) => ({ 'aria-label': `${control} page` }) }))] })) })] }));
}
function MailItem({ mail }) {
    const [isOpen, setIsOpen] = useState(false);
    const { subject, recipient, state, error, text_body: text, created_at: createdAt, sent_at: sentAt } = mail;
    return (_jsx(Item, { leading: _jsx(IconMail, { size: 18 }), title: _jsxs(_Fragment, { children: [subject, _jsx(StateBadge, { tone: tones[state], children: state })] }), detail: _jsxs(_Fragment, { children: [_jsxs("span", { children: ["to ", recipient] }), _jsx(RelativeTime, { time: sentAt ?? createdAt })] }), end: _jsx(Button, { variant: "subtle", color: "gray", size: "xs", "aria-expanded": isOpen, onClick: () => setIsOpen(!isOpen), children: isOpen ? 'Hide' : 'Show' }), children: isOpen && (_jsxs(_Fragment, { children: [error !== null && _jsx(Note, { tone: "bad", children: error }), text === null ? settingsText.textDeleted : _jsx(CommandLine, { code: text, label: "text" })] })) }));
}
