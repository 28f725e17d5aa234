import { listOf } from '../ui/format/list.ts'

const maxFields = 3

/** What others changed while a page is open. */
export const changedByText = {
  message: (actor: string, phrase: string) => `${actor} ${phrase} just now.`,
  changed: (fields: readonly string[]) =>
    `changed the ${listOf(
      fields.length > maxFields
        ? [...fields.slice(0, maxFields - 1), `${fields.length - maxFields + 1} more fields`]
        : fields,
    )}`,
  show: 'Show',
  title: (actor: string) => `Change by ${actor}`,
  noFields: 'The audit log has no details of this change.',
} as const
