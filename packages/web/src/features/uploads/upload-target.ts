import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import { storedText } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import type { UploadTarget } from '../../upload/upload.ts'
import { applicationQuery, applicationsQuery } from '../applications/application.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'

const applicationKey = 'quayside upload application'
const streamKey = (applicationId: string) => `quayside upload stream ${applicationId}`

export const rememberApplication = (id: string): void => localStorage.setItem(applicationKey, id)

/** Remembers the stream that new uploads to an application use at first. */
export const rememberStream = (applicationId: string, stream: string): void =>
  localStorage.setItem(streamKey(applicationId), stream)

/** Returns the applications to which the person may upload, and the one to choose at first. */
export function useUploadApplications(requestedId: string | undefined) {
  const { can, sample_application_id: sampleId } = useSession()
  const { data } = useSuspenseQuery(applicationsQuery)
  const applications = data.filter(({ id }) => can('builds:create', id))
  const find = (id: string | null | undefined) => applications.find((each) => each.id === id)
  // What is uploaded to the sample application is deleted with it.
  const own = applications.find(({ id }) => id !== sampleId)
  const selected = find(requestedId) ?? find(storedText(applicationKey)) ?? own ?? applications[0]
  return { all: data, applications, selected }
}

/** Loads what an upload to an application needs to know. */
export async function loadUploadTarget(
  queryClient: QueryClient,
  applicationId: string,
): Promise<UploadTarget> {
  const [application, streams] = await Promise.all([
    queryClient.query({ ...applicationQuery(applicationId), staleTime: 60_000 }),
    queryClient.query({ ...streamsQuery(applicationId), staleTime: 60_000 }),
  ])
  const names = streams.map(({ name }) => name)
  const preferred = [storedText(streamKey(applicationId)), 'default', ...names]
  return {
    applicationId,
    applicationName: application.name,
    platforms: application.platforms.map(({ identifier }) => identifier),
    stream: preferred.find((name) => name !== null && names.includes(name)) ?? 'default',
  }
}
