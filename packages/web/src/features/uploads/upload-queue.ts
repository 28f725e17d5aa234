import { useEffect, useSyncExternalStore } from 'react'
import { api, basePath } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { createUploadQueue } from '../../upload/upload-queue.ts'
import type { Upload } from '../../upload/upload.ts'

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
