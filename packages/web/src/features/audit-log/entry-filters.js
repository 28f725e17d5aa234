import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { auditSubjects } from '../../text/audit-log.ts';
import { applicationsQuery } from '../applications/application.queries.ts';
import { ActorSelect } from './actor-select.tsx';
import { recentEntriesQuery } from './audit-log.queries.ts';
import { isAuditFiltered } from './audit-log.search.ts';
import classes from './entry-filters.module.css';
/** The filters of an audit log: what, who, where and when. */
export function EntryFilters({ search, onChange, onClear, subjects, withApplications = false }) {
    const { data: applications = [] } = useQuery({ ...applicationsQuery, enabled: withApplications });
    const { data: recent = [] } = useQuery(recentEntriesQuery);
    const actors = new Set([search.actor ?? '', ...recent.map(({ actor }) => actor.name)]);
    actors.delete('');
    const actions = auditSubjects[search.subject ?? '']?.actions ?? [];
    return (_jsxs("div", { className: classes.filters, role: "group", "aria-label": "Filters", children: [_jsx(Select, { size: "xs", "aria-label": "Resource", placeholder: "Everything", clearable: true, searchable: true, data: subjects.map((value) => ({ value, label: auditSubjects[value]?.label ?? value })), value: search.subject ?? null, onChange: (subject) => onChange({ subject: subject ?? undefined, action: undefined }) }), actions.length > 0 && (_jsx(Select, { size: "xs", "aria-label": "Action", placeholder: "Any action", clearable: true, data: actions.map((verb) => ({
                    value: `${search.subject}.${verb}`,
                    label: verb.replaceAll('_', ' '),
                })), value: search.action ?? null, onChange: (action) => onChange({ action: action ?? undefined }) })), _jsx(ActorSelect, { actors: [...actors], value: search.actor, onChange: (actor) => onChange({ actor }) }), withApplications && (_jsx(Select, { size: "xs", "aria-label": "Application", placeholder: "Any application", clearable: true, searchable: true, data: applications.map(({ id, name }) => ({ value: id, label: name })), value: search.application ?? null, onChange: (application) => onChange({ application: application ?? undefined }) })), _jsx(TextInput, { size: "xs", type: "date", "aria-label": "From", leftSection: "From", leftSectionWidth: 46, value: search.after ?? '', onChange: (event) => onChange({ after: event.currentTarget.value || undefined }) }), _jsx(TextInput, { size: "xs", type: "date", "aria-label": "To", leftSection: "To", leftSectionWidth: 30, value: search.before ?? '', onChange: (event) => onChange({ before: event.currentTarget.value || undefined }) }), isAuditFiltered(search) && (_jsx(Button, { size: "xs", variant: "subtle", color: "gray", onClick: onClear, children: "Clear" }))] }));
}
