import { loadModule } from '../api/load-module.ts'
import type { Chosen, ChosenFile } from './upload.ts'

/** Returns whether something that is dragged contains files. */
export const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * Returns the dropped files and folders. Must be called in the handler of the event, because the browser empties the data
 * afterwards.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Chosen[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const found = await Promise.all(items.map(readItem))
  return found.filter((each) => each !== undefined)
}

async function readItem(item: DataTransferItem): Promise<Chosen | undefined> {
  const file = item.getAsFile()
  const entry = item.webkitGetAsEntry()
  const handle = (await item.getAsFileSystemHandle?.().catch(() => null)) ?? null
  if (entry?.isDirectory === true) return { folder: (await loadFolders()).nodeOfEntry(entry), handle }
  return file === null ? undefined : { file, handle }
}

// Few drops contain folders.
const loadFolders = () => loadModule(() => import('./folder/folder-tree.ts'), false)

/**
 * Lets the person choose a folder that the page may read again after a reload. Returns undefined if the browser does not
 * support this, and an empty list if the person has chosen none.
 */
export async function pickFolder(): Promise<Chosen[] | undefined> {
  const pick = window.showDirectoryPicker?.bind(window)
  const handle = await picked(pick && (() => pick()))
  if (handle === undefined) return undefined
  return handle === null ? [] : [{ folder: (await loadFolders()).nodeOfHandle(handle), handle }]
}

/** Returns the folder of a file input with `webkitdirectory`. It must be chosen again after a reload. */
export async function inputFolder(list: FileList | null): Promise<Chosen[]> {
  const files = [...(list ?? [])]
  const folder = (await loadFolders()).nodeOfFiles(files)
  return folder === undefined ? [] : [{ folder, handle: null }]
}

/**
 * Lets the person choose files in a way that allows the page to read them again after a reload. Returns undefined if
 * the browser does not support this, and an empty list if the person has chosen none.
 */
export async function pickFiles(options: { multiple: boolean }): Promise<ChosenFile[] | undefined> {
  const pick = window.showOpenFilePicker?.bind(window)
  const handles = await picked(pick && (() => pick(options)))
  if (handles === undefined) return undefined
  return Promise.all((handles ?? []).map(async (handle) => ({ file: await handle.getFile(), handle })))
}

/** Returns what a dialog of the browser returns, null if the person has canceled it, and undefined if there is none. */
async function picked<T>(pick: (() => Promise<T>) | undefined): Promise<T | null | undefined> {
  try {
    return await pick?.()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}

/** Returns the files of a file input. They must be chosen again after a reload. */
export const inputFiles = (files: FileList | null): ChosenFile[] =>
  [...(files ?? [])].map((file) => ({ file, handle: null }))
