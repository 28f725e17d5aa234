import { resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { readSettings } from '../import/source-settings.ts'
import type { SourceSettings } from '../import/source-settings.ts'
import { writeJson } from '../mirror/mirror-folder.ts'
import { runMirror } from '../mirror/run-mirror.ts'

/** The file in an export that describes the application. */
export const applicationFile = 'application.json'

export type ExportedApplication = {
  format: 1
  server: string
  exported_at: string
  /** Whether all builds and releases were exported after this file was written. */
  is_complete: boolean
  application: { id: string; name: string; description: string | null; platforms: string[] }
  streams: { name: string; description: string | null; retention_days: number | null }[]
  labels: { name: string; description: string | null; color: string }[]
  /** Undefined in an export of an earlier version. */
  settings?: SourceSettings
}

/** Exports an application to a folder. Builds and releases have the same format as in a mirror. */
export async function runExport(
  context: CommandContext,
  application: string,
  path: string,
  { jobs }: { jobs: number },
): Promise<void> {
  const selected = { ...context, settings: { ...context.settings, application } }
  const application_id = await requireApplicationId(selected)
  const client = context.client()
  const call = { signal: context.signal }
  const { data } = await client.getApplication({ application_id }, call)
  const exported: ExportedApplication = {
    format: 1,
    server: context.settings.server,
    exported_at: new Date().toISOString(),
    is_complete: false,
    application: {
      id: data.id,
      name: data.name,
      description: data.description,
      platforms: data.platforms.map(({ identifier }) => identifier),
    },
    streams: (await client.listStreams({ application_id }, call)).data,
    labels: (await client.listLabels({ application_id }, call)).data,
  }
  const file = resolve(context.runtime.cwd, path, applicationFile)
  await writeJson(file, exported)
  await runMirror(context, application_id, path, { once: true, interval: 10, jobs })
  const settings = await readSettings(client, application_id, context.signal)
  for (const { what, reason } of settings.unreadable) context.output.note(`Not exported: ${what}. ${reason}`)
  await writeJson(file, { ...exported, settings, is_complete: true })
}
