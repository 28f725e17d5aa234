import { useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { storedText } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'

/** The page of a single item, such as a build. `href` is its path in the console. */
export type RecentPage = { href: string; title: string }

const maxPages = 8
const item =
  /^\/(?:applications\/[^/]+\/(?:builds|releases|views|webhooks)\/(?!new$)[^/]+|groups\/[^/]+|portals\/[^/]+\/edit)$/
const suffix = ' – Quayside'

const keyOf = ({ user, workspace }: ReturnType<typeof useSession>): string =>
  `quayside recent pages ${workspace.id} ${user.id}`

/** Returns the pages that the person has opened last, starting with the latest one. */
export function useRecentPages(): RecentPage[] {
  return readPages(keyOf(useSession()))
}

const readPages = (key: string): RecentPage[] => readAll(key, isPage)

/** Returns the values of this kind in a list that the browser remembers. */
function readAll<T>(key: string, isKind: (value: unknown) => value is T): T[] {
  try {
    const values: unknown = JSON.parse(storedText(key) ?? '[]')
    return Array.isArray(values) ? values.filter(isKind) : []
  } catch {
    return []
  }
}

const isPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  value.href.startsWith('/') &&
  'title' in value &&
  typeof value.title === 'string'

const maxApplications = 12
const applicationKeyOf = ({ user, workspace }: ReturnType<typeof useSession>): string =>
  `quayside recent applications ${workspace.id} ${user.id}`

/** Returns the IDs of the applications that the person has opened last, starting with the latest one. */
export function useRecentApplications(): string[] {
  // The list is read again on every page.
  useRouterState({ select: ({ location }) => location.pathname })
  return readApplications(applicationKeyOf(useSession()))
}

const readApplications = (key: string): string[] => readAll(key, (id) => typeof id === 'string')

/** Remembers the applications that the person opens. */
export function useRecordRecentApplications(): void {
  const { applicationId } = useParams({ strict: false })
  const key = applicationKeyOf(useSession())
  useEffect(() => {
    if (applicationId === undefined) return
    const others = readApplications(key).filter((id) => id !== applicationId)
    localStorage.setItem(key, JSON.stringify([applicationId, ...others].slice(0, maxApplications)))
  }, [applicationId, key])
}

/** Remembers the pages of single items when the person leaves them, because their titles are known by then. */
export function useRecordRecentPages(): void {
  const router = useRouter()
  const key = keyOf(useSession())
  useEffect(() => {
    let titleBefore = document.title
    return router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      const title = document.title.replace(suffix, '')
      // A page that is left before it has loaded still has the title of the page before it.
      const hasLoaded = document.title !== titleBefore
      titleBefore = document.title
      if (!hasLoaded || !item.test(fromLocation.pathname)) return
      const others = readPages(key).filter(({ href }) => href !== fromLocation.pathname)
      const pages = [{ href: fromLocation.pathname, title }, ...others].slice(0, maxPages)
      localStorage.setItem(key, JSON.stringify(pages))
    })
  }, [router, key])
}
