import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../../../../scripts/tools/programs.ts'
import { isInstalled, toolPath } from '../../../../scripts/tools/tool-sets.ts'

type Manifest = { apiVersion: string; kind: string; spec?: unknown }

/** The modules of `kubernetes-types` that declare the kinds of the manifests. */
const typeModules: Record<string, string> = {
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
}

/** Returns the reason why `assertKubernetesTypes` cannot run, or undefined if it can. */
export const whyNoKubernetesTypes = (): string | undefined =>
  isInstalled('check') ? undefined : '`npm run install-tools` installs the compiler and the types'

/** Asserts that the compiler accepts manifests as types of the Kubernetes API, and finds every mistake. */
export async function assertKubernetesTypes(
  manifests: readonly Manifest[],
  mistakes: readonly Manifest[] = [],
): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-kubernetes-'))
  try {
    await symlink(toolPath('check', ''), join(temporary, 'node_modules'))
    const declare = (manifest: Manifest, index: number): string =>
      `const manifest${index}: import('kubernetes-types/${typeModules[manifest.apiVersion]}').${manifest.kind} = ${JSON.stringify(manifest)}`
    const wrong = mistakes.map(
      (manifest, index) => `// @ts-expect-error\n${declare(manifest, manifests.length + index)}`,
    )
    const file = join(temporary, 'manifests.ts')
    await writeFile(file, [...manifests.map(declare), ...wrong, 'export {}'].join('\n'))
    const options = '--noEmit --strict --skipLibCheck --ignoreConfig --module nodenext'.split(' ')
    const args = [programPath('tsc'), ...options, '--types', '', file]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
