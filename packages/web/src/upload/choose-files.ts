import type { ChosenFile } from './upload.ts'

/** Returns whether something that is dragged contains files. */
export const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * Returns the dropped files, and how many folders were among them. Must be called in the handler of the event, because
 * the browser empties the data afterwards.
 */
export async function droppedFiles(
  transfer: DataTransfer,
): Promise<{ files: ChosenFile[]; folders: number }> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const found = await Promise.all(items.map(readItem))
  return {
    files: found.filter((each) => each !== undefined),
    folders: found.filter((each) => each === undefined).length,
  }
}

function readItem(item: DataTransferItem): Promise<ChosenFile | undefined> {
  const file = item.getAsFile()
  const isFolder = item.webkitGetAsEntry()?.isDirectory === true
  const opening = item.getAsFileSystemHandle?.().catch(() => null)
  return (async () => {
    if (isFolder || file === null) return undefined
    const handle = await opening
    return { file, handle: handle instanceof FileSystemFileHandle ? handle : null }
  })()
}

/**
 * Lets the person choose files in a way that allows the page to read them again after a reload. Returns undefined if
 * the browser does not support this, and an empty list if the person has chosen none.
 */
export async function pickFiles(options: { multiple: boolean }): Promise<ChosenFile[] | undefined> {
  if (window.showOpenFilePicker === undefined) return undefined
  try {
    const handles = await window.showOpenFilePicker(options)
    return await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

/** Returns the files of a file input. They must be chosen again after a reload. */
export const inputFiles = (files: FileList | null): ChosenFile[] =>
  [...(files ?? [])].map((file) => ({ file, handle: null }))
