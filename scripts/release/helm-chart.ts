import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tarGz } from '../../packages/server/src/lib/archives/tar.ts'
import { ReleaseError } from './release-error.ts'
import type { Release } from './release.ts'

const chartFolder = 'deploy/helm/quayside'

/** Writes the Helm chart as `helm package` does. */
export async function writeHelmChart({ root, folder, version, committedAt, log }: Release): Promise<void> {
  const chart = await readFile(join(root, chartFolder, 'Chart.yaml'), 'utf8')
  if (!chart.includes(`\nversion: ${version}\nappVersion: ${version}\n`))
    throw new ReleaseError(`${chartFolder}/Chart.yaml does not have the version ${version} of the release.`)
  const paths = globSync('**/*.{json,tpl,txt,yaml}', { cwd: join(root, chartFolder) }).toSorted()
  const entries = await Promise.all(
    paths.map(async (path) => ({
      path: `quayside/${path}`,
      content: await readFile(join(root, chartFolder, path)),
    })),
  )
  const name = `quayside-chart-${version}.tgz`
  await writeFile(join(folder, name), tarGz(entries, committedAt))
  log(name)
}
