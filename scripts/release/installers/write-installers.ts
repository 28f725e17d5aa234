import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release } from '../release.ts'
import { minisignPublicKey, minisignPublicKeyFile } from '../signatures/minisign.ts'
import { sshIdentity, sshNamespace, sshPublicKey } from '../signatures/ssh-signature.ts'

const publicKeyFile = 'quayside.pub'

/** Writes the installers with the public key of the release, and the key as a file for minisign. */
export async function writeInstallers({ folder, version, url, key, log }: Release): Promise<void> {
  if (key === undefined) {
    log('no installers, because the release is not signed')
    return
  }
  const values: Record<string, string> = {
    VERSION: version,
    URL: url ?? '',
    MINISIGN_KEY: minisignPublicKey(key),
    SSH_SIGNER: `${sshIdentity} namespaces="${sshNamespace}" ${sshPublicKey(key)}`,
  }
  for (const name of ['install.sh', 'install.ps1']) {
    const template = await readFile(join(import.meta.dirname, name), 'utf8')
    const script = template.replaceAll(
      /@([A-Z_]+)@/g,
      (placeholder, name: string) => values[name] ?? placeholder,
    )
    await writeFile(join(folder, name), script)
    log(name)
  }
  await chmod(join(folder, 'install.sh'), 0o755)
  await writeFile(join(folder, publicKeyFile), minisignPublicKeyFile(key))
  log(publicKeyFile)
}
