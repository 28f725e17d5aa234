import { open } from 'node:fs/promises'

/** The kind of a file, detected from its first bytes. It distinguishes file types that share an extension. */
export type FileKind = 'zip' | 'gzip' | 'xz' | 'zstd' | 'xar' | 'playstation' | 'elf' | 'mach-o' | 'unknown'

const signatures: [FileKind, string][] = [
  ['zip', '504b0304'],
  ['gzip', '1f8b'],
  ['xz', 'fd377a585a00'],
  ['zstd', '28b52ffd'],
  ['xar', '78617221'],
  ['playstation', '7f434e54'],
  ['playstation', '7f464948'],
  ['elf', '7f454c46'],
  ['mach-o', 'cafebabe'],
  ['mach-o', 'cffaedfe'],
  ['mach-o', 'cefaedfe'],
]

/** Detects the kind of a file from its first bytes. */
export function detectKind(head: Uint8Array): FileKind {
  const hex = Buffer.from(head).toString('hex')
  return signatures.find(([, signature]) => hex.startsWith(signature))?.[0] ?? 'unknown'
}

/** Reads the first bytes of a file and returns its kind. */
export async function readFileKind(path: string): Promise<FileKind> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return detectKind(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
