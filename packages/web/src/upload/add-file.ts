import { loadModule } from '../api/load-module.ts'
import { uploadText } from '../text/builds/upload.ts'
import { looksLike, sampleOf } from './file-sample.ts'
import { randomId } from './random-id.ts'
import type { UploadContext } from './resuming.ts'
import { isFinished, unknownState, type ChosenFile, type Upload } from './upload.ts'

/** The application that files are uploaded to, with what is chosen for each file at first. */
export type UploadTarget = {
  applicationId: string
  applicationName: string
  platforms: readonly string[]
  stream: string
}

type AddContext = UploadContext & { attach: (upload: Upload, chosen: ChosenFile) => Promise<boolean> }

// Every page can receive files, but few do.
async function describe(file: File, platforms: readonly string[]) {
  const { describeFile } = await loadModule(() => import('./describe-file.ts'), false)
  return describeFile(file, platforms)
}

/**
 * Adds a file to the list, or resumes its interrupted upload. Returns the ID of the upload, which is being sent if its
 * platform is known.
 */
export async function addFile(
  { list, runs, tabs, persist, attach, owner }: AddContext,
  chosen: ChosenFile,
  { target, createdAt }: { target: UploadTarget; createdAt: number },
): Promise<string> {
  const { file } = chosen
  const earlier = list
    .list()
    .find(
      (upload) =>
        upload.applicationId === target.applicationId && !isFinished(upload) && looksLike(file, upload),
    )
  if (earlier !== undefined) {
    if (runs.hasFile(earlier.id)) runs.start(earlier.id)
    else await attach(earlier, chosen)
    return earlier.id
  }
  const id = randomId()
  await tabs.claim(id)
  runs.attach(id, file)
  list.put({ ...newUpload(chosen, target), id, owner: owner(), createdAt })
  try {
    if (file.size === 0) throw new Error(uploadText.emptyFile)
    const [sample, { icon, candidates, ...found }] = await Promise.all([
      sampleOf(file),
      describe(file, target.platforms),
    ])
    const fields = list.find(id)?.fields
    if (fields === undefined) return id
    list.change(id, { sample, icon, candidates, fields: { ...fields, ...found } })
    persist(id)
    runs.start(id)
  } catch (error) {
    list.change(id, { phase: 'failed', error })
  }
  return id
}

const newUpload = ({ file, handle }: ChosenFile, target: UploadTarget) =>
  ({
    ...unknownState,
    applicationId: target.applicationId,
    applicationName: target.applicationName,
    filename: file.name,
    sizeBytes: file.size,
    lastModified: file.lastModified,
    sample: '',
    handle,
    candidates: [],
    fields: { platform: null, version: '', buildNumber: '', stream: target.stream, labels: [] },
    pendingUploadId: null,
    requested: '',
    phase: 'reading',
  }) satisfies Omit<Upload, 'id' | 'owner' | 'createdAt'>
