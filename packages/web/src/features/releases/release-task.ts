import { createContext, use } from 'react'

/** What a person is doing with the release of the page: a dialog or the editor of its notes. */
export type ReleaseTask = 'publish' | 'schedule' | 'withdraw' | 'edit' | 'delete' | 'notes' | 'add-builds'

type Tasks = {
  task: ReleaseTask | undefined
  /** Starts another task, which ends the current one; undefined ends it. */
  start: (task: ReleaseTask | undefined) => void
}

export const ReleaseTasks = createContext<Tasks>({ task: undefined, start: () => {} })

/** Returns the current task of the page and starts others. */
export const useReleaseTask = (): Tasks => use(ReleaseTasks)
