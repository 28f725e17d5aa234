import { hashKey, type QueryClient } from '@tanstack/react-query'
import { isAllowed, isAllowedSomewhere, sessionQuery, type Session } from './session.ts'

const maxAgeMs = 5_000
const sessionHash = hashKey(sessionQuery.queryKey)

/** Thrown instead of requesting a page that the server would refuse. */
export class AccessError extends Error {
  /** Whether the application is not accessible at all, so that the server would not even tell that it exists. */
  readonly isMissing: boolean

  constructor({ isMissing }: { isMissing: boolean }) {
    super('You do not have access to this page.')
    this.name = 'AccessError'
    this.isMissing = isMissing
  }
}

type Place = { context: { queryClient: QueryClient }; params: object }

/**
 * Throws `AccessError` unless the person has the scope in the application of the path, or in the workspace if the path has
 * none.
 */
export async function requireScope({ context, params }: Place, scope: string): Promise<void> {
  const applicationId = 'applicationId' in params ? String(params.applicationId) : undefined
  await requireAccess(
    context.queryClient,
    (session) => isAllowed(session, scope, applicationId),
    applicationId,
  )
}

/** Throws `AccessError` unless the person has the scope in the workspace or in any application. */
export const requireScopeSomewhere = ({ context }: Pick<Place, 'context'>, scope: string): Promise<void> =>
  requireAccess(context.queryClient, (session) => isAllowedSomewhere(session, scope))

/** Throws unless the person may do something. Access that was granted a moment ago counts. */
async function requireAccess(
  queryClient: QueryClient,
  isGranted: (session: Session) => boolean,
  applicationId?: string,
): Promise<void> {
  const known = queryClient.getQueryData(sessionQuery.queryKey)
  if (known !== undefined && isGranted(known)) return
  const session = await queryClient.query({ ...sessionQuery, staleTime: maxAgeMs })
  if (isGranted(session)) return
  const isMissing =
    applicationId !== undefined && session.applications?.every(({ id }) => id !== applicationId) === true
  throw new AccessError({ isMissing })
}

/** Returns a text that changes when the person may do something else. */
const accessOf = ({ workspace, role, scopes, applications }: Session): string =>
  JSON.stringify([workspace.id, role, scopes, applications])

/** Calls the listener when the person may do something else than before. Returns a function that removes it. */
export function onAccessChange(queryClient: QueryClient, listener: () => void): () => void {
  const current = () => {
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    return session === undefined ? undefined : accessOf(session)
  }
  let known = current()
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== sessionHash) return
    const next = current()
    if (next === undefined || next === known) return
    const isFirst = known === undefined
    known = next
    if (!isFirst) listener()
  })
}
