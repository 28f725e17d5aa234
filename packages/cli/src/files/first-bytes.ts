import { open } from 'node:fs/promises'

/** What the first bytes of a file say it is, as far as extensions leave it open. */
export type Kind = 'zip' | 'gzip' | 'xz' | 'zstd' | 'xar' | 'playstation' | 'elf' | 'mach-o' | 'unknown'

const signatures: [Kind, string][] = [
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

export function kindOfBytes(head: Uint8Array): Kind {
  const hex = Buffer.from(head).toString('hex')
  return signatures.find(([, signature]) => hex.startsWith(signature))?.[0] ?? 'unknown'
}

export async function readKind(path: string): Promise<Kind> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
  return kindOfBytes(buffer.subarray(0, bytesRead))
}
