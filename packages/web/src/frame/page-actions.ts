import type { SpotlightActionData } from '@mantine/spotlight'
import { useEffect } from 'react'

let actions: SpotlightActionData[] = []
const listeners = new Set<() => void>()

function setActions(next: SpotlightActionData[]): void {
  actions = next
  for (const listener of listeners) listener()
}

export function subscribeToPageActions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const listPageActions = (): SpotlightActionData[] => actions

/** Offers the actions of a page in the command palette while the page is open. Pass a memoized list. */
export function usePageActions(pageActions: SpotlightActionData[]): void {
  useEffect(() => {
    setActions(pageActions)
    return () => setActions([])
  }, [pageActions])
}
