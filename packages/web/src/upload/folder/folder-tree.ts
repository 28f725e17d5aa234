/** A folder or a file of the disk, however the browser gives access to it. */
export type FolderNode = {
  name: string
  /** Returns the content of a folder; undefined for a file. */
  children: (() => Promise<FolderNode[]>) | undefined
  file: () => Promise<File>
}

const noFile = () => Promise.reject(new Error('A folder has no content.'))

/** Returns a dropped folder. */
export function nodeOfEntry(entry: FileSystemEntry): FolderNode {
  const { name } = entry
  if (entry.isDirectory) {
    const directory = entry as FileSystemDirectoryEntry
    return { name, children: () => readEntries(directory), file: noFile }
  }
  const file = () =>
    new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
  return { name, children: undefined, file }
}

async function readEntries(directory: FileSystemDirectoryEntry): Promise<FolderNode[]> {
  const reader = directory.createReader()
  const nodes: FolderNode[] = []
  // Chromium returns at most 100 entries at a time.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return nodes
    nodes.push(...entries.map(nodeOfEntry))
  }
}

/** Returns a folder that the page may read again after a reload. */
export function nodeOfHandle(handle: FileSystemHandle): FolderNode {
  const { name } = handle
  return handle instanceof FileSystemDirectoryHandle
    ? { name, children: () => readHandles(handle), file: noFile }
    : { name, children: undefined, file: () => (handle as FileSystemFileHandle).getFile() }
}

async function readHandles(handle: FileSystemDirectoryHandle): Promise<FolderNode[]> {
  const nodes: FolderNode[] = []
  for await (const child of handle.values()) nodes.push(nodeOfHandle(child))
  return nodes
}

/** Returns the folder that was chosen with a file input, which leaves out empty folders; undefined if none was chosen. */
export function nodeOfFiles(files: readonly File[]): FolderNode | undefined {
  const [first] = files
  if (first === undefined) return undefined
  const [name = ''] = first.webkitRelativePath.split('/')
  const paths = files.map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(1) }))
  return { name, children: () => Promise.resolve(childrenOf(paths)), file: noFile }
}

type PathOfFile = { file: File; path: readonly string[] }

const childrenOf = (files: readonly PathOfFile[]): FolderNode[] =>
  [...Map.groupBy(files, ({ path }) => path[0] ?? '')].map(([name, group]) => {
    const [first] = group
    if (first !== undefined && first.path.length === 1)
      return { name, children: undefined, file: () => Promise.resolve(first.file) }
    const below = group.map(({ file, path }) => ({ file, path: path.slice(1) }))
    return { name, children: () => Promise.resolve(childrenOf(below)), file: noFile }
  })
