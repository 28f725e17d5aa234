import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconKey, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ApplicationIcon } from '../../ui/application-icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { changedFields } from '../builds/activity/changed-fields.ts';
import { describeEntry, entryParts } from './describe-entry.ts';
import { EntryDetails } from './entry-details.tsx';
import classes from './entry-feed.module.css';
import { entryLink } from './entry-link.ts';
/** Who did what, with the changed fields on demand. A group opens to its entries. */
export function EntryRow({ group, applicationName }) {
    const [entry] = group;
    const application = entry.application_id === null ? undefined : applicationName(entry.application_id);
    return (_jsx(Row, { entry: entry, application: application, text: group.length > 1 ? describeEntry(entry, group.length) : _jsx(Sentence, { entry: entry }), hint: group.length > 1 ? undefined : changeHint(entry), children: group.length === 1 ? (_jsx(EntryDetails, { entry: entry })) : (_jsx("ul", { className: classes.list, children: group.map((each) => (_jsx(Row, { entry: each, text: _jsx(Sentence, { entry: each }), hint: changeHint(each), isNested: true, children: _jsx(EntryDetails, { entry: each }) }, each.id))) })) }));
}
function Row({ entry, text, hint, application, isNested = false, children }) {
    const [isOpen, setIsOpen] = useState(false);
    const id = useId();
    return (_jsxs("li", { className: classes.entry, "data-nested": isNested || undefined, children: [_jsxs("div", { className: classes.line, children: [!isNested && _jsx(ActorIcon, { actor: entry.actor }), _jsxs("span", { className: classes.text, children: [!isNested && _jsx("b", { children: entry.actor.name }), " ", text, hint !== undefined && _jsx("span", { className: classes.hint, children: hint })] }), application !== undefined && _jsx("span", { className: classes.application, children: application }), _jsx("span", { className: classes.time, children: _jsx(RelativeTime, { time: entry.created_at, short: true }) }), _jsx(UnstyledButton, { className: classes.toggle, "aria-expanded": isOpen, "aria-controls": id, "aria-label": `Details: ${entry.actor.name} ${describeEntry(entry)}`, onClick: () => setIsOpen(!isOpen), children: _jsx(IconChevronRight, { size: 16 }) })] }), _jsx(Collapse, { expanded: isOpen, id: id, transitionDuration: 100, children: isOpen && _jsx("div", { className: classes.details, children: children }) })] }));
}
function Sentence({ entry }) {
    const { lead, name } = entryParts(entry);
    const link = entryLink(entry);
    return (_jsxs(_Fragment, { children: [lead, ' ', link === undefined || name === undefined ? (_jsx("span", { className: classes.name, children: name })) : (_jsx(Link, { ...link, className: classes.name, children: name }))] }));
}
const maxHintCharacters = 60;
/** Returns the changed fields of an update in a few words, such as "stream: default → stable". */
function changeHint({ before, after }) {
    if (before === null || after === null)
        return undefined;
    const changes = changedFields(before, after);
    const [first] = changes;
    if (first === undefined)
        return undefined;
    const text = `${first.field}: ${first.before ?? 'none'} → ${first.after}`;
    return changes.length === 1 && text.length <= maxHintCharacters
        ? text
        : changes.map(({ field }) => field).join(', ');
}
function ActorIcon({ actor: { kind, name } }) {
    if (kind === 'user')
        return _jsx(ApplicationIcon, { name: name, url: null, round: true, size: 24 });
    const Icon = kind === 'system' ? IconSettings : IconKey;
    return (_jsx("span", { className: classes.actorIcon, children: _jsx(Icon, { size: 15, "aria-hidden": true }) }));
}
