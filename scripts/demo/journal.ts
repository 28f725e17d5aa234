import type { PersonId } from './plan/people.ts'

/** When a change to a resource happened in the story of the demo, and who made it. */
export type Moment = {
  subject: string
  /** Set if the subject, such as a person, belongs to several applications. */
  application?: string
  /** The action in the audit log; undefined if the moment applies to all other actions on the subject. */
  action?: string
  at: Date
  by?: PersonId
}

/**
 * Collects the times to which the history of the workspace is moved after it has been created through the API. Downloads
 * are recorded in the order in which they were requested.
 */
export function createJournal() {
  const moments: Moment[] = []
  const downloads: { at: Date }[] = []
  const expiredLinks: { id: string; at: Date }[] = []
  return {
    moments,
    downloads,
    expiredLinks,
    record: (moment: Moment): void => void moments.push(moment),
    recordDownload: (at: Date): void => void downloads.push({ at }),
    expireLink: (id: string, at: Date): void => void expiredLinks.push({ id, at }),
  }
}

export type Journal = ReturnType<typeof createJournal>
