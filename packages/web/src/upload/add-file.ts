import { uploadText } from '../text/builds/upload.ts'
import { describeFile, platformIn, type FileDescription } from './describe-file.ts'
import { looksLike } from './file-sample.ts'
import { randomId } from './random-id.ts'
import { attachSource, readingOptions, type UploadContext } from './resuming.ts'
import { openSource, type OpenedSource } from './upload-source.ts'
import { isFinished, unknownState, type Chosen, type Upload, type UploadTarget } from './upload.ts'

export type Adding = {
  /** The application that the files are for, unless `chooseTargets` returns another one. */
  target: UploadTarget
  /** Returns the application of each file, by the names of their packages; undefined if the person must choose it. */
  chooseTargets: (packageNames: readonly (string | null)[]) => Promise<readonly (UploadTarget | undefined)[]>
}

/** Adds files and folders to the list, or resumes their interrupted uploads. Returns the IDs of the uploads. */
export async function addFiles(
  context: UploadContext,
  chosen: readonly Chosen[],
  { target, chooseTargets }: Adding,
): Promise<string[]> {
  const now = performance.timeOrigin + performance.now()
  const batch = randomId()
  const described = chosen.map((each) => describeFile(each))
  const targets = Promise.allSettled(described).then((results) =>
    chooseTargets(results.map((result) => (result.status === 'fulfilled' ? result.value.packageName : null))),
  )
  return Promise.all(
    chosen.map(async (each, index) => {
      // The order of the files, which are read in parallel, is the order in which they are sent.
      const upload = newUpload(each, target)
      const id = await put(context, { ...upload, batch, createdAt: now + index / 1000 })
      try {
        const [opened, description, found] = await Promise.all([
          openSource(each, readingOptions(context, id)),
          described[index],
          targets,
        ])
        if (description === undefined) throw new Error(uploadText.emptyFile)
        return await startUpload(context, id, { opened, description, target: found[index], chosen: each })
      } catch (error) {
        context.list.change(id, { phase: 'failed', error })
        return id
      }
    }),
  )
}

async function put(
  { tabs, list, owner }: UploadContext,
  upload: Omit<Upload, 'id' | 'owner'>,
): Promise<string> {
  const id = randomId()
  await tabs.claim(id)
  list.put({ ...upload, id, owner: owner() })
  return id
}

type Found = {
  opened: OpenedSource
  description: FileDescription
  target: UploadTarget | undefined
  chosen: Chosen
}

/** Starts the upload of a file that has been read, or resumes its interrupted upload. Returns the ID of the upload. */
async function startUpload(context: UploadContext, id: string, found: Found): Promise<string> {
  const { list, runs, tabs, persist } = context
  const { opened, description, target, chosen } = found
  const { source, filename, lastModified, sample, folderFiles } = opened
  const upload = list.find(id)
  if (upload === undefined) {
    source.close?.()
    return id
  }
  const identity = { filename, lastModified, sizeBytes: source.sizeBytes }
  const earlier = list
    .list()
    .find(
      (other) =>
        other.id !== id &&
        other.applicationId === target?.applicationId &&
        other.sample === sample &&
        !isFinished(other) &&
        looksLike(identity, other),
    )
  if (earlier !== undefined) {
    list.remove(id)
    tabs.release(id)
    if (!runs.hasFile(earlier.id)) await attachSource(context, earlier, opened, chosen.handle)
    else {
      source.close?.()
      runs.start(earlier.id)
    }
    return earlier.id
  }
  runs.attach(id, source)
  const { version, buildNumber, ...rest } = description
  list.change(id, {
    ...rest,
    ...identity,
    sample,
    folderFiles,
    sentBytes: 0,
    sentFiles: null,
    applicationId: target?.applicationId ?? '',
    applicationName: target?.applicationName ?? '',
    fields: {
      ...upload.fields,
      version,
      buildNumber,
      stream: target?.stream ?? upload.fields.stream,
      platform: platformIn(description, target?.platforms ?? []),
    },
  })
  persist(id)
  runs.start(id)
  return id
}

const newUpload = (chosen: Chosen, target: UploadTarget) =>
  ({
    ...unknownState,
    applicationId: target.applicationId,
    applicationName: target.applicationName,
    ...('folder' in chosen
      ? { filename: `${chosen.folder.name}.zip`, sizeBytes: 0, lastModified: 0, folderFiles: 0 }
      : {
          filename: chosen.file.name,
          sizeBytes: chosen.file.size,
          lastModified: chosen.file.lastModified,
          folderFiles: null,
        }),
    sample: '',
    handle: chosen.handle,
    kind: 'unknown',
    packagePlatform: null,
    packageName: null,
    candidates: [],
    fields: { platform: null, version: '', buildNumber: '', stream: target.stream, labels: [], notes: '' },
    pendingUploadId: null,
    requested: '',
    phase: 'reading',
  }) satisfies Omit<Upload, 'id' | 'owner' | 'createdAt' | 'batch'>
