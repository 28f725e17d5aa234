import type { Tx } from '../../database/transaction.ts'
import type { Initiator } from '../../events/record-event.ts'
import { insertMentions, listMentionableMembers, type NotificationSubject } from './notification-match.db.ts'

type Mentionable = { id: string; name: string }

const isWordCharacter = /[\p{L}\p{N}_]/u
const startOfMention = /(?<![\p{L}\p{N}_.@])@/gu

/**
 * Returns the IDs of the members whose name follows an `@` in the text, ignoring case. The longest name counts, so that
 * `@Ana Ruiz` mentions only Ana Ruiz. A first name is enough if only one member has it. Members with the same name are
 * all mentioned. Code is ignored.
 */
export function findMentioned(text: string, members: readonly Mentionable[]): string[] {
  const ids = new Map<string, Set<string>>()
  const add = (name: string, id: string) => {
    const key = name.toLowerCase()
    ids.set(key, (ids.get(key) ?? new Set()).add(id))
  }
  for (const { id, name } of members) add(name, id)
  const firstNames = Map.groupBy(members, ({ name }) => (name.split(/\s/)[0] ?? name).toLowerCase())
  for (const [firstName, [only, ...others]] of firstNames)
    if (only !== undefined && others.length === 0) add(firstName, only.id)
  // Texts can contain thousands of `@`, and workspaces thousands of members.
  const names = Map.groupBy(
    [...ids.keys()].toSorted((a, b) => b.length - a.length),
    (name) => name[0],
  )
  const prose = text.replaceAll(/```[^]*?(```|$)|`[^`\n]*`/g, ' ').toLowerCase()
  const mentioned = new Set<string>()
  for (const { index } of prose.matchAll(startOfMention)) {
    const rest = prose.slice(index + 1)
    const found = names
      .get(rest[0])
      ?.find((name) => rest.startsWith(name) && !isWordCharacter.test(rest[name.length] ?? ''))
    for (const id of ids.get(found ?? '') ?? []) mentioned.add(id)
  }
  return [...mentioned]
}

type Mention = NotificationSubject & {
  text: string | null
  /** The text that was replaced. Only new texts mention. */
  before?: string | null
}

/**
 * Implements `notifyMentioned` of `Dependents`. Nobody is notified of mentioning themselves, and nobody who cannot access
 * the application.
 */
export async function notifyMentioned(
  tx: Tx,
  { actor }: Initiator,
  { text, before, ...subject }: Mention,
): Promise<void> {
  if (text === null || text === before || !text.includes('@')) return
  const userIds = findMentioned(text, await listMentionableMembers(tx, subject)).filter(
    (id) => actor.via !== 'session' || id !== actor.id,
  )
  if (userIds.length > 0) await insertMentions(tx, subject, { userIds, actorName: actor.name })
}
