import { texts } from '../../api/search-params.ts';
/** The filters of an audit log, as they are in the URL. */
export const auditFilterNames = ['subject', 'action', 'actor', 'application', 'after', 'before'];
export const auditSearch = texts(...auditFilterNames);
export const isAuditFiltered = (search) => auditFilterNames.some((name) => name !== 'application' && search[name] !== undefined);
/** Returns the filters as the API names them. A date is a day in the time zone of the browser. */
export function auditFilter({ subject, action, actor, application, after, before }) {
    return {
        ...(action === undefined && subject !== undefined ? { subject_type: subject } : {}),
        ...(action === undefined ? {} : { action }),
        ...(actor === undefined ? {} : { actor }),
        ...(application === undefined ? {} : { application }),
        ...(startOf(after) === undefined ? {} : { created_after: startOf(after) }),
        ...(startOf(before, 1) === undefined ? {} : { created_before: startOf(before, 1) }),
    };
}
/** Returns the start of a day such as `2026-11-22`, or of a later day; undefined if it is not a date. */
function startOf(day, laterDays = 0) {
    const [year, month, date] = (day ?? '').split('-').map(Number);
    const start = new Date(year ?? NaN, (month ?? NaN) - 1, (date ?? NaN) + laterDays);
    return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
