import type { AuditSubject } from '../../events/catalogue.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { emailPattern } from '../../http/endpoint/fields.ts'
import type { WorkspaceScope } from '../../http/endpoint/scopes.ts'

/** The scope that a key needs to read each subject type through the other endpoints. */
const readScopes: Record<AuditSubject, WorkspaceScope> = {
  access_request: 'members:read',
  api_key: 'api_keys:read',
  application: 'applications:read',
  build: 'builds:read',
  channel: 'applications:read',
  channel_read_key: 'applications:read',
  custom_store: 'applications:read',
  custom_target: 'workspace:read',
  feedback: 'builds:read',
  default_stream: 'workspace:read',
  device: 'distribution_groups:read',
  distribution_group: 'distribution_groups:read',
  invitation: 'members:read',
  label: 'workspace:read',
  member: 'members:read',
  metadata_artifact: 'builds:read',
  portal: 'portals:read',
  release: 'releases:read',
  repository_key: 'workspace:read',
  rollout: 'releases:read',
  share_link: 'share_links:read',
  stream: 'applications:read',
  scim_token: 'members:read',
  team: 'members:read',
  trusted_publisher: 'api_keys:read',
  view: 'builds:read',
  webhook: 'webhooks:read',
  webhook_request: 'webhooks:read',
  workspace: 'workspace:read',
}

// These trusted publisher fields are hidden by name, because their values are not always email addresses or URLs.
const confidentialFields = new Set(['claims', 'audience'])
const hidden = '[hidden]'
const email = new RegExp(emailPattern, 'u')
const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/**
 * Masks email addresses, URLs and claims, including nested values, in the recorded state of a subject unless the caller
 * has the scopes to read them elsewhere.
 */
export function hideDetails(state: unknown, subjectType: string, { scopes }: Actor): unknown {
  const canReadEmails = scopes.has('members:read')
  const scope = Object.hasOwn(readScopes, subjectType) ? readScopes[subjectType as AuditSubject] : undefined
  const canReadSubject = scope !== undefined && scopes.has(scope)
  if (canReadEmails && canReadSubject) return state
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string')
      return (email.test(value) && !canReadEmails) || (isUrl(value) && !canReadSubject) ? hidden : value
    if (Array.isArray(value)) return value.map(hide)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [
        field,
        confidentialFields.has(field) && !canReadSubject ? hidden : hide(inner),
      ]),
    )
  }
  return hide(state)
}
