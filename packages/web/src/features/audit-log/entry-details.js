import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { auditText } from '../../text/audit-log.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { absoluteTime } from '../../ui/time.ts';
import { changedFields } from '../builds/activity/changed-fields.ts';
import classes from './entry-feed.module.css';
/** The fields before and after a change, and where it came from. */
export function EntryDetails({ entry }) {
    const { before, after } = entry;
    const isUpdate = before !== null && after !== null;
    const rows = isUpdate ? changedFields(before, after) : changedFields(null, after ?? before);
    return (_jsxs(_Fragment, { children: [rows.length === 0 ? (_jsx("p", { className: classes.soft, children: auditText.noState })) : (_jsxs("table", { className: classes.diff, children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: "Field" }), isUpdate && _jsx("th", { scope: "col", children: "Before" }), _jsx("th", { scope: "col", children: isUpdate ? 'After' : after === null ? 'Deleted value' : 'Value' })] }) }), _jsx("tbody", { children: rows.map(({ field, before: old, after: value }) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: field }), isUpdate && _jsx("td", { className: classes.old, children: old }), _jsx("td", { className: isUpdate ? classes.new : undefined, children: value })] }, field))) })] })), _jsxs("p", { className: classes.origin, children: [_jsx("span", { children: absoluteTime(entry.created_at) }), entry.address !== null && _jsxs("span", { children: ["from ", entry.address] }), _jsx("code", { children: entry.action }), _jsx(Copyable, { value: entry.subject.id, label: `ID of the ${entry.subject.type.replaceAll('_', ' ')}`, mono: true })] })] }));
}
