import type { AuditEntry } from '@quayside/sdk'
import { plural } from '../../ui/bytes.ts'

const nouns: Record<string, string> = {
  api_key: 'API key',
  application_member: 'application member',
  distribution_group: 'distribution group',
  distribution_group_member: 'group member',
  metadata_artifact: 'artifact',
  share_link: 'share link',
  trusted_publisher: 'trusted publisher',
  workspace_member: 'member',
}

const verbs: Record<string, string> = {
  'build.created': 'uploaded',
  'build.processed': 'read the package of',
  'invitation.created': 'sent',
  'webhook.tested': 'sent a test to',
}

/** Returns what was done in an entry, to be read after the name of the actor, such as "uploaded build 2.14.0". */
export function describeEntry({ action, subject, before, after }: AuditEntry, count = 1): string {
  const [type = subject.type, ...rest] = action.split('.')
  const verb = verbs[action] ?? rest.join(' ').replaceAll('_', ' ')
  const noun = nouns[type] ?? type.replaceAll('_', ' ')
  if (count > 1) return `${verb} ${plural(count, noun)}`
  const name = nameIn(after) ?? nameIn(before)
  return name === undefined ? `${verb} ${article(noun)} ${noun}` : `${verb} ${noun} ${name}`
}

/** Returns the name of a resource in a snapshot. */
function nameIn(snapshot: unknown): string | undefined {
  if (typeof snapshot !== 'object' || snapshot === null) return undefined
  const fields = snapshot as Record<string, unknown>
  for (const key of ['name', 'version', 'email', 'title', 'filename', 'url']) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

const article = (noun: string): string => (/^[aeiou]|^API/.test(noun) ? 'an' : 'a')
