import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './client.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await api.getSession({}, { signal })).data,
  staleTime: 60_000,
})

export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>

/** Returns the signed-in person and what they may do. Only for pages below the signed-in layout. */
export function useSession(): Session & {
  /**
   * Returns whether the person may do something: in an application if its ID is passed, otherwise in the workspace. The
   * scopes of applications are those of application keys, such as `application:write`.
   */
  can: (scope: string, applicationId?: string) => boolean
} {
  const { data: session } = useSuspenseQuery(sessionQuery)
  return { ...session, can: (scope, applicationId) => isAllowed(session, scope, applicationId) }
}

function isAllowed(session: Session, scope: string, applicationId: string | undefined): boolean {
  if (applicationId === undefined) return session.scopes.includes(scope)
  if (session.applications === null)
    return session.scopes.includes(
      scope === 'members:create' ? 'members:write' : scope.replace(/^application:/, 'applications:'),
    )
  return session.applications.find(({ id }) => id === applicationId)?.scopes.includes(scope) ?? false
}
