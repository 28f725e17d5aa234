import type { AuditEntry } from '@quayside/sdk'
import { auditPhrases, joinedText } from '../../text/audit-log.ts'
import { plural } from '../../ui/format/bytes.ts'

const nouns: Record<string, string> = {
  access_request: 'access request',
  api_key: 'API key',
  application_member: 'application member',
  channel_read_key: 'read key',
  distribution_group: 'distribution group',
  distribution_group_member: 'group member',
  metadata_artifact: 'artifact',
  repository_key: 'repository key',
  share_link: 'share link',
  trusted_publisher: 'trusted publisher',
  workspace_member: 'member',
}

const verbs: Record<string, string> = {
  'build.created': 'uploaded',
  'build.processed': 'read the package of',
}

const unreadable = 'could not read the package of'

const joinedAction = 'invitation.accepted'

/** Returns what was done in an entry, to be read after the name of the actor, such as "uploaded build 2.14.0". */
export function describeEntry(entry: AuditEntry, count = 1): string {
  const { lead, name } = entryParts(entry)
  if (count === 1) return name === undefined ? lead : `${lead} ${name}`
  const phrase = auditPhrases[entry.action]
  const { verb, noun } = wordsOf(entry)
  if (entry.action === joinedAction) return `accepted ${plural(count, noun)}`
  if (phrase === undefined) return `${verb} ${plural(count, noun)}`
  if (['member', 'invitation'].includes(entry.subject.type))
    return `${phrase} ${plural(count, 'person', 'people')}`
  return phrase.endsWith(` ${noun}`)
    ? `${phrase.slice(0, -noun.length).replace(/ an? $/, ' ')}${plural(count, noun)}`
    : `${withObject(phrase, noun)}, ${count} times`
}

/** Adds the noun to a phrase that is incomplete without the name of the subject. */
const withObject = (phrase: string, noun: string): string =>
  /(^| )(of|to|from|in|up|invited|removed)$/.test(phrase) ? `${phrase} the ${noun}` : phrase

/** Returns the description in two parts, so that the name of the subject can be a link. */
export function entryParts(entry: AuditEntry): { lead: string; name: string | undefined } {
  // The email address in the entry about an accepted invitation is that of the actor.
  if (entry.action === joinedAction)
    return { lead: joinedText[entry.application_id === null ? 'workspace' : 'application'], name: undefined }
  // The email address in the entry about the set-up is that of the owner.
  const keys = entry.subject.type === 'workspace' ? ['name'] : nameKeys
  const name = nameIn(entry.after, keys) ?? nameIn(entry.before, keys)
  const phrase = auditPhrases[entry.action]
  const { verb, noun } = wordsOf(entry)
  if (phrase !== undefined) return { lead: name === undefined ? withObject(phrase, noun) : phrase, name }
  return name === undefined
    ? { lead: verb, name: `${article(noun)} ${noun}` }
    : { lead: `${verb} ${noun}`, name }
}

function wordsOf({ action, subject, after }: AuditEntry): { verb: string; noun: string } {
  const [type = subject.type, ...rest] = action.split('.')
  const hasFailed = action === 'build.processed' && nameIn(after, ['processing_error']) !== undefined
  return {
    verb: hasFailed ? unreadable : (verbs[action] ?? rest.join(' ').replaceAll('_', ' ')),
    noun: nouns[type] ?? type.replaceAll('_', ' '),
  }
}

// A build is always called by its version, because its number is not known before its package has been read.
const nameKeys = ['name', 'version', 'email', 'title', 'filename', 'url']

/** Returns the name of a resource in a snapshot. */
function nameIn(snapshot: unknown, keys: readonly string[]): string | undefined {
  if (typeof snapshot !== 'object' || snapshot === null) return undefined
  const fields = snapshot as Record<string, unknown>
  for (const key of keys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

const article = (noun: string): string => (/^[aeiou]|^API/.test(noun) ? 'an' : 'a')
