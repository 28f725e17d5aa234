import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api, basePath } from '../../api/client.ts'
import { loadModule } from '../../api/load-module.ts'
import { useSession } from '../../api/session.ts'
import { createUploadQueue } from '../../upload/upload-queue.ts'
import type { Chosen, Upload } from '../../upload/upload.ts'
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

/**
 * Uploads files and folders to an application, and those to others whose packages show that they belong there. Returns
 * the uploads once the files have been read.
 */
export async function uploadFiles(
  queryClient: QueryClient,
  applicationId: string,
  chosen: readonly Chosen[],
): Promise<Upload[]> {
  const target = await loadUploadTarget(queryClient, applicationId)
  return uploadQueue.add(chosen, {
    target,
    async chooseTargets(packageNames) {
      if (packageNames.every((name) => name === null)) return packageNames.map(() => target)
      try {
        const { chooseTargets } = await loadModule(() => import('./choose-targets.ts'), false)
        return await chooseTargets(queryClient, target, packageNames)
      } catch {
        // The person can still choose another application for each file.
        return packageNames.map(() => target)
      }
    },
  })
}
