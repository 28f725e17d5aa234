import { createHash, type Hash } from 'node:crypto'
import type { ByteSource } from '../inspection.ts'
import { settleSignature, unsigned, type Signature } from '../signatures/signature.ts'
import type { Certificate } from '../signatures/signed-data.ts'
import { verifyAuthenticode } from './authenticode.ts'
import { openCompoundFile, type CompoundFile, type CompoundNode } from './compound-file.ts'

const signatureName = '\u0005DigitalSignature'
/** A digest of the names and times of all streams, which the signature covers if it exists. */
const metadataDigestName = '\u0005MsiDigitalSignatureEx'
const maxSignatureBytes = 4 * 2 ** 20
const maxDigestBytes = 64

/** Verifies the Authenticode signature of a Windows Installer package. */
export async function verifyInstaller(content: ByteSource): Promise<Signature> {
  let signers: Certificate[] = []
  const verify = async (): Promise<Signature> => {
    const file = await openCompoundFile(content)
    if (!file.has(signatureName)) return unsigned
    return verifyAuthenticode(
      await file.read(signatureName, maxSignatureBytes),
      (algorithm) => digestInstaller(file, algorithm),
      (found) => (signers = found),
    )
  }
  return settleSignature(verify(), () => signers)
}

/** Returns the digest of all streams, or undefined if the metadata has changed. */
async function digestInstaller(file: CompoundFile, algorithm: string): Promise<Buffer | undefined> {
  const tree = file.tree()
  tree.children = tree.children.filter(({ name }) => name !== signatureName && name !== metadataDigestName)
  const hash = createHash(algorithm)
  if (file.has(metadataDigestName)) {
    const metadata = createHash(algorithm)
    addMetadata(metadata, tree)
    const digest = metadata.digest()
    if (!digest.equals(await file.read(metadataDigestName, maxDigestBytes))) return undefined
    hash.update(digest)
  }
  await addStreams(hash, file, tree)
  return hash.digest()
}

/** Adds the content of the streams in the order of their names, and the class of each storage. */
async function addStreams(hash: Hash, file: CompoundFile, storage: CompoundNode): Promise<void> {
  for (const child of sorted(storage.children)) {
    if (!child.isStream) await addStreams(hash, file, child)
    else for await (const chunk of file.stream(child)) hash.update(chunk)
  }
  hash.update(classIdOf(storage))
}

function addMetadata(hash: Hash, node: CompoundNode, isRoot = true): void {
  const { bytes, isStream, children } = node
  if (!isRoot) hash.update(nameOf(node))
  hash.update(isStream ? bytes.subarray(120, 124) : classIdOf(node))
  hash.update(bytes.subarray(96, 100))
  if (!isRoot) hash.update(bytes.subarray(100, 116))
  for (const child of sorted(children)) addMetadata(hash, child, false)
}

const classIdOf = ({ bytes }: CompoundNode): Buffer => bytes.subarray(80, 96)
const nameOf = ({ name }: CompoundNode): Buffer => Buffer.from(name, 'utf16le')

const sorted = (nodes: readonly CompoundNode[]): CompoundNode[] =>
  nodes.toSorted((a, b) => Buffer.compare(nameOf(a), nameOf(b)))
