import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api, basePath } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { createUploadQueue } from '../../upload/upload-queue.ts'
import type { ChosenFile, Upload } from '../../upload/upload.ts'
import { loadUploadTarget } from './upload-target.ts'

/** The uploads of this tab. They continue while pages change. */
export const uploadQueue = createUploadQueue({ client: api, name: `quayside uploads ${basePath}` })

export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(uploadQueue.subscribe, uploadQueue.list, uploadQueue.list)

/** Shows the uploads of the person who is signed in, and restores those that were interrupted. */
export function useUploadQueue(): void {
  const { user, workspace } = useSession()
  const owner = `${user.id} ${workspace.id}`
  useEffect(() => void uploadQueue.open(owner), [owner])
}

/** Uploads files to an application. Returns the uploads once the files have been read. */
export async function uploadFiles(
  queryClient: QueryClient,
  applicationId: string,
  files: readonly ChosenFile[],
): Promise<Upload[]> {
  return uploadQueue.add(files, await loadUploadTarget(queryClient, applicationId))
}
