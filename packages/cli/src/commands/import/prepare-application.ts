import { QuaysideError } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import type { ImportSource } from './import-source.ts'
import type { ImportState } from './import-state.ts'

/**
 * Returns the application to import into: the one that `--application` names, or else a new one. Adds the platforms,
 * streams and labels that it lacks.
 */
export async function prepareApplication(
  context: CommandContext,
  client: QuaysideClient,
  source: ImportSource,
  state: ImportState,
): Promise<string> {
  const { name, description, platforms } = await source.application()
  const known = state.find('application', source.id)
  const id = known ?? (await chooseApplication(context, client, { name, description, platforms }, state))
  if (known === undefined) await state.add('application', source.id, id)
  await withNotFoundMessage(
    addPlatforms(client, id, platforms),
    `The application ${id} of the earlier import was deleted, or the key cannot access it. Restore it, or add --start-over to import everything again.`,
  )
  await addStreams(client, id, await source.streams())
  await addLabels(client, id, await source.labels())
  return id
}

/** Returns the application that `--application` names, or creates one. */
async function chooseApplication(
  context: CommandContext,
  client: QuaysideClient,
  body: { name: string; description: string | null; platforms: string[] },
  state: ImportState,
): Promise<string> {
  if (context.settings.application !== undefined) return requireApplicationId(context)
  const { data } = await client.createApplication({ body }, { idempotencyKey: state.keyOf('application') })
  return data.id
}

async function addPlatforms(client: QuaysideClient, application_id: string, wanted: string[]): Promise<void> {
  const { data } = await client.listPlatforms({ application_id })
  const attached = data.map(({ identifier }) => identifier)
  const platforms = [...new Set([...attached, ...wanted])]
  if (platforms.length > attached.length)
    await client.replacePlatforms({ application_id, body: { platforms } })
}

const namesOf = (items: { name: string }[]): Set<string> =>
  new Set(items.map(({ name }) => name.toLowerCase()))

async function addStreams(
  client: QuaysideClient,
  application_id: string,
  streams: Awaited<ReturnType<ImportSource['streams']>>,
): Promise<void> {
  const existing = namesOf((await client.listStreams({ application_id })).data)
  for (const { name, description, retention_days } of streams)
    if (!existing.has(name.toLowerCase()))
      await unlessExists(client.createStream({ application_id, body: { name, description, retention_days } }))
}

async function addLabels(
  client: QuaysideClient,
  application_id: string,
  labels: Awaited<ReturnType<ImportSource['labels']>>,
): Promise<void> {
  const existing = namesOf((await client.listLabels({ application_id })).data)
  for (const { name, description, color } of labels)
    if (!existing.has(name.toLowerCase()))
      await unlessExists(
        client.createLabel({
          application_id,
          body: { name, description, ...(color === undefined ? {} : { color }) },
        }),
      )
}

/** Ignores that a retried request has already created the resource. */
export async function unlessExists(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof QuaysideError) || error.status !== 409) throw error
  })
}
