import { createCipheriv } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes of a file that have been the same since a night. */
type Segment = { night: number; sizeBytes: number }
type Kind = 'texture' | 'executable' | 'text'
type GameFile = { name: string; kind: Kind; segments: Segment[] }

/** How much of the folder each kind of file has, and the sizes of its files as a fraction of the largest. */
const kinds: { kind: Kind; share: number; minBytes: number; maxBytes: number }[] = [
  { kind: 'texture', share: 0.85, minBytes: 128 * 1024, maxBytes: 32 * 1024 * 1024 },
  { kind: 'executable', share: 0.1, minBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024 },
  { kind: 'text', share: 0.05, minBytes: 1024, maxBytes: 256 * 1024 },
]
const changedRatio = 0.03
/** Of the changed bytes, those in new files. */
const addedRatio = 0.1
const [minRangeBytes, maxRangeBytes] = [1024, 400 * 1024]

/**
 * Creates a folder that resembles a game: textures, which do not shrink, parts of the program of Node, and texts. The
 * content depends only on the size.
 */
export async function createGameFolder(folder: string, sizeBytes: number) {
  const program = await readFile(process.execPath)
  const random = createRandom()
  const files: GameFile[] = []
  let night = 1
  let names = 0
  const content = (kind: Kind, length: number): Buffer => {
    if (kind === 'texture') return random.bytes(length)
    if (kind === 'text') return random.text(length)
    const start = Math.floor(random.next() * Math.max(1, program.length - length))
    const bytes = program.subarray(start, start + length)
    return Buffer.concat(
      Array.from({ length: Math.ceil(length / bytes.length) }, () => bytes),
      length,
    )
  }
  const add = async (kind: Kind, length: number) => {
    const name = `${kind}s/${names % 10}/${names++}.${{ texture: 'pak', executable: 'bin', text: 'txt' }[kind]}`
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content(kind, length))
    files.push({ name, kind, segments: [{ night, sizeBytes: length }] })
  }
  for (const { kind, share, minBytes, maxBytes } of kinds)
    for (let left = share * sizeBytes; left > 0;) {
      const length = Math.ceil(Math.min(left, random.between(minBytes, Math.min(maxBytes, sizeBytes / 20))))
      await add(kind, length)
      left -= length
    }
  const removeOne = async () => {
    const [removed] = files.splice(Math.floor(random.next() * files.length), 1)
    if (removed !== undefined) await rm(join(folder, removed.name))
  }
  return {
    /** Changes 3 % of the bytes in scattered files, and adds, renames and removes files. */
    async changeOvernight(): Promise<void> {
      night++
      const total = sizeOf(files)
      let left = total * changedRatio * (1 - addedRatio)
      while (left > 0) {
        const file = fileAt(files, random.next() * total)
        const length = Math.ceil(Math.min(left, random.between(minRangeBytes, maxRangeBytes)))
        left -= await changeFile(folder, file, { night, random, length, content })
      }
      const added = total * changedRatio * addedRatio
      await add('texture', Math.ceil(added * 0.9))
      await add('text', Math.ceil(added * 0.1))
      await removeOne()
      const renamed = files[Math.floor(random.next() * files.length)]
      if (renamed === undefined) return
      const name = `${dirname(renamed.name)}/renamed-${night}-${names++}`
      await rename(join(folder, renamed.name), join(folder, name))
      renamed.name = name
    },
    sizeBytes: () => sizeOf(files),
    /** Returns the bytes that changed after a night. */
    changedSince: (first: number) =>
      files
        .flatMap(({ segments }) => segments)
        .reduce((sum, segment) => sum + (segment.night > first ? segment.sizeBytes : 0), 0),
  }
}

type Change = {
  night: number
  random: Random
  length: number
  content: (kind: Kind, length: number) => Buffer
}

/** Replaces a range, or inserts one in a tenth of the cases. Returns the number of new bytes. */
async function changeFile(folder: string, file: GameFile, { night, random, length, content }: Change) {
  const path = join(folder, file.name)
  const sizeBytes = sizeOf([file])
  const isInsertion = random.next() < 0.1
  const changed = isInsertion ? length : Math.min(length, sizeBytes)
  const start = Math.floor(random.next() * (sizeBytes - (isInsertion ? 0 : changed) + 1))
  const bytes = content(file.kind, changed)
  const end = isInsertion ? start : start + changed
  if (isInsertion) {
    const old = await readFile(path)
    await writeFile(path, Buffer.concat([old.subarray(0, start), bytes, old.subarray(end)]))
  } else {
    const handle = await open(path, 'r+')
    await handle.write(bytes, 0, bytes.length, start)
    await handle.close()
  }
  file.segments = [
    ...cutSegments(file.segments, 0, start),
    { night, sizeBytes: changed },
    ...cutSegments(file.segments, end, sizeBytes),
  ]
  return changed
}

function cutSegments(segments: Segment[], start: number, end: number): Segment[] {
  const cut: Segment[] = []
  let position = 0
  for (const { night, sizeBytes } of segments) {
    const length = Math.min(end, position + sizeBytes) - Math.max(start, position)
    if (length > 0) cut.push({ night, sizeBytes: length })
    position += sizeBytes
  }
  return cut
}

const sizeOf = (files: GameFile[]): number =>
  files.reduce((sum, { segments }) => sum + segments.reduce((size, each) => size + each.sizeBytes, 0), 0)

/** Returns the file that contains a byte of the folder. */
function fileAt(files: GameFile[], position: number): GameFile {
  let left = position
  for (const file of files) {
    left -= sizeOf([file])
    if (left < 0) return file
  }
  return files.at(-1) ?? { name: '', kind: 'text', segments: [] }
}

type Random = ReturnType<typeof createRandom>

/** Returns random numbers, bytes and texts of a fixed sequence. */
function createRandom() {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
  const bytes = (length: number) => cipher.update(Buffer.alloc(length))
  const next = () => bytes(4).readUInt32LE(0) / 2 ** 32
  const letters = 'etaoinshrdlucmfwypvbgkjqxz'
  const words = Array.from({ length: 4000 }, () =>
    [...bytes(3 + Math.floor(next() * 7))]
      .map((byte) => letters[Math.floor((byte / 256) ** 2 * 26)])
      .join(''),
  )
  return {
    bytes,
    next,
    /** Returns a number whose logarithm is equally distributed. */
    between: (min: number, max: number) => min * (Math.max(min, max) / min) ** next(),
    text(length: number): Buffer {
      let text = ''
      while (text.length < length) text += `${words[Math.floor(next() ** 2 * words.length)]} `
      return Buffer.from(text.slice(0, length))
    },
  }
}
