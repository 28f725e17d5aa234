import type { EntryAttributes } from '@quayside/sdk/archive-layout'
import { alwaysIgnored, ignoreFile, inArchiveOrder, nameProblem } from '@quayside/sdk/folder-rules'
import ignore from 'ignore'
import type { Ignore } from 'ignore'
import { uploadText } from '../../text/builds/upload.ts'
import type { FolderNode } from './folder-tree.ts'

/** A file below a folder, or an empty folder. */
export type ListedEntry = EntryAttributes & { file: File | undefined }

/**
 * Lists the files and empty folders below a folder in the order of an archive, except what its ignore file excludes, as
 * the command line does. Throws if there are no files, or for a name that an archive cannot contain.
 */
export async function listFolder(folder: FolderNode, signal: AbortSignal): Promise<ListedEntry[]> {
  const children = (await folder.children?.()) ?? []
  const rules = ignore({ ignorecase: false }).add(alwaysIgnored)
  const ignoring = children.find(({ name, children: inside }) => name === ignoreFile && inside === undefined)
  if (ignoring !== undefined) rules.add(await (await ignoring.file()).text())
  const entries: ListedEntry[] = []
  await addEntries(children, '', { rules, signal, entries })
  if (!entries.some(({ kind }) => kind === 'file')) throw new Error(uploadText.emptyFolder(folder.name))
  return inArchiveOrder(entries)
}

type Listing = { rules: Ignore; signal: AbortSignal; entries: ListedEntry[] }

async function addEntries(nodes: readonly FolderNode[], prefix: string, listing: Listing): Promise<void> {
  listing.signal.throwIfAborted()
  for (const node of nodes) {
    const isFolder = node.children !== undefined
    const name = `${prefix}${node.name}${isFolder ? '/' : ''}`
    if (listing.rules.ignores(name)) continue
    const problem = nameProblem(node.name)
    if (problem !== undefined) throw new Error(uploadText.invalidName(name, problem))
    const children = await node.children?.()
    if (children !== undefined && children.length > 0) await addEntries(children, name, listing)
    else listing.entries.push(entryOf(name, isFolder ? undefined : await node.file()))
  }
}

const entryOf = (name: string, file: File | undefined): ListedEntry => ({
  name,
  kind: file === undefined ? 'folder' : 'file',
  isExecutable: false,
  sizeBytes: file?.size ?? 0,
  target: '',
  file,
})
