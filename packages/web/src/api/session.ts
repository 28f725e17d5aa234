import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { sessionKey } from './query-keys.ts'

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => (await api.getSession({}, { signal })).data,
  staleTime: 60_000,
  // Another tab may have signed out, or opened another workspace.
  refetchOnWindowFocus: 'always',
})

export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>

/** Returns the signed-in person and what they may do. Only for pages below the signed-in layout. */
export function useSession(): Session & {
  /**
   * Returns whether the person may do something: in an application if its ID is passed, otherwise in the workspace. The
   * scopes of applications are those of application keys, such as `application:write`.
   */
  can: (scope: string, applicationId?: string) => boolean
  /** Returns whether the person may do something in the workspace or in at least one application. */
  canSomewhere: (scope: string) => boolean
} {
  const { data: session } = useSuspenseQuery(sessionQuery)
  return {
    ...session,
    can: (scope, applicationId) => isAllowed(session, scope, applicationId),
    canSomewhere: (scope) => isAllowedSomewhere(session, scope),
  }
}

export const isAllowedSomewhere = (session: Session, scope: string): boolean =>
  isAllowed(session, scope, undefined) ||
  session.applications?.some(({ scopes }) => scopes.includes(scope)) === true

export function isAllowed(session: Session, scope: string, applicationId: string | undefined): boolean {
  if (applicationId === undefined) return session.scopes.includes(scope)
  if (session.applications === null)
    return session.scopes.includes(
      scope === 'members:create' ? 'members:write' : scope.replace(/^application:/, 'applications:'),
    )
  return session.applications.find(({ id }) => id === applicationId)?.scopes.includes(scope) ?? false
}
