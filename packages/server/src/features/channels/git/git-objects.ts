import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** An object as Git stores it outside of packs. */
export type GitObject = { id: string; bytes: Buffer }

const author = 'Quayside <channels@quayside.invalid>'

function objectOf(type: 'blob' | 'tree' | 'commit', content: Buffer): GitObject {
  const stored = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  return { id: createHash('sha1').update(stored).digest('hex'), bytes: deflateSync(stored) }
}

/** Creates the objects of files by their paths, which have at most one folder. The last one is that of the tree. */
export function createTree(files: ReadonlyMap<string, string>): [...GitObject[], GitObject] {
  const objects: GitObject[] = []
  const folders = Map.groupBy(files, ([path]) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : ''))
  const entries: TreeEntry[] = []
  for (const [folder, members] of folders) {
    const own = members.map(([path, content]): TreeEntry => {
      const blob = objectOf('blob', Buffer.from(content))
      objects.push(blob)
      return { mode: '100644', name: path.slice(path.indexOf('/') + 1), id: blob.id }
    })
    if (folder === '') {
      entries.push(...own)
      continue
    }
    const tree = treeOf(own)
    objects.push(tree)
    entries.push({ mode: '40000', name: folder, id: tree.id })
  }
  return [...objects, treeOf(entries)]
}

type TreeEntry = { mode: '100644' | '40000'; name: string; id: string }

function treeOf(entries: TreeEntry[]): GitObject {
  // Git compares the names of folders as if they ended with a slash.
  const keyOf = ({ mode, name }: TreeEntry) => Buffer.from(mode === '40000' ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)))
  return objectOf(
    'tree',
    Buffer.concat(
      sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    ),
  )
}

export function createCommit({
  tree,
  parent,
  atMs,
  message,
}: {
  tree: string
  parent: string | undefined
  atMs: number
  message: string
}): GitObject {
  const time = `${Math.floor(atMs / 1000)} +0000`
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${author} ${time}`,
    `committer ${author} ${time}`,
    '',
    message,
    '',
  ]
  return objectOf('commit', Buffer.from(lines.join('\n')))
}
