import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { platforms } from './artifact-kind.ts'
import type { CommandLine } from './command-line.ts'

type Application = { id: string; name: string; icon_url: string | null }

const description = 'Self-hosted build distribution: CI uploads, teams organize, testers install.'
const icon = 'packages/web/public/apple-touch-icon.png'

/** Creates the application with its icon unless it exists, and adds platforms that it does not have. */
export async function provideApplication(
  root: string,
  name: string,
  { commandLine, work }: { commandLine: CommandLine; work: string },
): Promise<void> {
  const { quayside } = commandLine
  const found = await quayside<Application[]>('applications', 'list', '--search', name)
  const existing = found.find((application) => application.name === name)
  if (existing !== undefined) await quayside('platforms', 'add', ...platforms)
  else {
    const supported = platforms.flatMap((platform) => ['--platform', platform])
    await quayside('applications', 'create', name, '--description', description, ...supported)
  }
  if ((existing?.icon_url ?? null) !== null) return
  const data = (await readFile(join(root, icon))).toString('base64')
  const body = join(work, 'icon.json')
  await writeFile(body, JSON.stringify({ content_type: 'image/png', data }))
  await quayside('api', 'PUT', '/applications/{application}/icon', '--input', body)
}
