import { slice } from '../bytes.ts'

const magic = 'BOMStore'
const maxVariables = 100
const maxEntries = 100_000
const maxNodes = 10_000

/** A BOM store, the container of asset catalogs: numbered blocks, and names of some of them. */
export type BomStore = {
  /** Returns a named block, or undefined if there is none. */
  find(name: string): Buffer | undefined
  /** Returns the keys and values of a named tree. */
  entries(name: string): { key: Buffer; value: Buffer }[]
}

/** Reads a BOM store. Throws a RangeError if it is damaged. */
export function readBomStore(bytes: Buffer): BomStore {
  if (bytes.toString('latin1', 0, magic.length) !== magic) throw new RangeError('This is not a BOM store.')
  const indexOffset = bytes.readUInt32BE(16)
  const blockAt = (number: number): Buffer => {
    if (number >= bytes.readUInt32BE(indexOffset)) throw new RangeError('The block does not exist.')
    const entry = indexOffset + 4 + number * 8
    return slice(bytes, bytes.readUInt32BE(entry), bytes.readUInt32BE(entry + 4))
  }
  const variables = readVariables(slice(bytes, bytes.readUInt32BE(24), bytes.readUInt32BE(28)))
  const find = (name: string): Buffer | undefined => {
    const number = variables.get(name)
    return number === undefined ? undefined : blockAt(number)
  }
  return {
    find,
    entries(name) {
      const tree = find(name)
      return tree === undefined ? [] : readTree(tree, blockAt)
    },
  }
}

/** Returns the block numbers by name. */
function readVariables(bytes: Buffer): Map<string, number> {
  const variables = new Map<string, number>()
  const count = bytes.readUInt32BE(0)
  if (count > maxVariables) throw new RangeError('There are too many variables.')
  for (let index = 0, at = 4; index < count; index++) {
    const length = bytes.readUInt8(at + 4)
    variables.set(slice(bytes, at + 5, length).toString('latin1'), bytes.readUInt32BE(at))
    at += 5 + length
  }
  return variables
}

/** Returns the entries in the leaves of a B-tree. Each node refers to the next one of its level. */
function readTree(tree: Buffer, blockAt: (number: number) => Buffer): { key: Buffer; value: Buffer }[] {
  if (tree.toString('latin1', 0, 4) !== 'tree') throw new RangeError('The block is not a tree.')
  const entries: { key: Buffer; value: Buffer }[] = []
  let nodes = 0
  let node = blockAt(tree.readUInt32BE(8))
  const countNode = () => {
    if (++nodes > maxNodes) throw new RangeError('The tree has too many nodes.')
  }
  while (node.readUInt16BE(0) === 0) {
    countNode()
    node = blockAt(node.readUInt32BE(12))
  }
  for (;;) {
    countNode()
    const count = node.readUInt16BE(2)
    if (entries.length + count > maxEntries) throw new RangeError('The tree has too many entries.')
    for (let at = 12; at < 12 + count * 8; at += 8)
      entries.push({ value: blockAt(node.readUInt32BE(at)), key: blockAt(node.readUInt32BE(at + 4)) })
    const next = node.readUInt32BE(4)
    if (next === 0) return entries
    node = blockAt(next)
  }
}
