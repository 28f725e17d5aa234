import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Menu } from '@mantine/core';
import { IconBrandGithub, IconBrandGitlab, IconCode, IconPencil, IconShieldCheck, IconTestPipe, IconTrash, } from '@tabler/icons-react';
import { serviceUrl } from '../../api/client.ts';
import { Item } from '../../ui/item-list.tsx';
import { Note } from '../../ui/note.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { claimsOf, formOf, patternsOf } from './publisher-form.ts';
const icons = { github: IconBrandGithub, gitlab: IconBrandGitlab, other: IconShieldCheck };
const labels = { github: 'GitHub Actions', gitlab: 'GitLab CI', other: '' };
/** A line of the list of trusted publishers: which runs it trusts, what they may do, and what could be safer. */
export function PublisherItem({ publisher, canEdit, onOpen }) {
    const { name, issuer, claims, scopes, expires_at: expiresAt, warnings } = publisher;
    const form = formOf(publisher, serviceUrl);
    const { provider } = form;
    // The server does not keep the order of claims.
    const ordered = provider === 'other' ? claims : claimsOf(form);
    const Icon = icons[provider];
    return (_jsx(Item, { leading: _jsx(Icon, { size: 20 }), title: name, detail: _jsxs(_Fragment, { children: [_jsx("span", { children: provider === 'other' ? issuer.replace(/^https:\/\//, '') : labels[provider] }), Object.entries(ordered).map(([claim, value]) => (_jsxs("span", { children: [claim, " ", _jsx("code", { children: patternsOf(value).join(' or ') })] }, claim)))] }), end: _jsxs("div", { children: [_jsx("div", { children: scopes.join(', ') }), expiresAt !== null && (_jsxs("div", { children: ["Expires ", _jsx(RelativeTime, { time: expiresAt })] }))] }), menu: _jsxs(RowMenu, { label: `Actions for ${name}`, children: [_jsx(Menu.Item, { leftSection: _jsx(IconCode, { size: 16 }), onClick: () => onOpen('snippet'), children: "Show the CI configuration" }), _jsx(Menu.Item, { leftSection: _jsx(IconTestPipe, { size: 16 }), onClick: () => onOpen('check'), children: "Check a token" }), canEdit && (_jsxs(_Fragment, { children: [_jsx(Menu.Item, { leftSection: _jsx(IconPencil, { size: 16 }), onClick: () => onOpen('edit'), children: "Edit" }), _jsx(Menu.Item, { color: "red", leftSection: _jsx(IconTrash, { size: 16 }), onClick: () => onOpen('delete'), children: "Delete" })] }))] }), children: warnings.length > 0 &&
            warnings.map((warning) => (_jsx(Note, { tone: "warn", children: warning }, warning))) }));
}
