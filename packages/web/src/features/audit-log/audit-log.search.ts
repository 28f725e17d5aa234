import { startOfDay, texts } from '../../api/search-params.ts'

/** The filters of an audit log, as they are in the URL. */
export const auditFilterNames = ['subject', 'action', 'actor', 'application', 'after', 'before'] as const

export const auditSearch = texts(...auditFilterNames)

export type AuditSearch = ReturnType<typeof auditSearch>

export const isAuditFiltered = (search: AuditSearch): boolean =>
  auditFilterNames.some((name) => name !== 'application' && search[name] !== undefined)

/** Returns the filters as the API names them. A date is a day in the time zone of the browser. */
export function auditFilter({ subject, action, actor, application, after, before }: AuditSearch) {
  return {
    ...(action === undefined && subject !== undefined ? { subject_type: subject } : {}),
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(application === undefined ? {} : { application }),
    ...(startOfDay(after) === undefined ? {} : { created_after: startOfDay(after) }),
    ...(startOfDay(before, 1) === undefined ? {} : { created_before: startOfDay(before, 1) }),
  }
}
