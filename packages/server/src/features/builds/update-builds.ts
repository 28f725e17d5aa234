import { Type, type Static } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { runBatchWithFallback } from '../../jobs/batch-with-fallback.ts'
import { Problem } from '../../lib/problem.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { LabelNames, StreamIdentifier } from './change-build.ts'
import { changeBuilds } from './change-builds.ts'
import { moveBuildsToTrash, restoreBuildsFromTrash } from './trash-build.ts'

const Body = Type.Object({
  build_ids: Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  action: Type.Enum(['keep', 'unkeep', 'move', 'label', 'unlabel', 'delete', 'restore']),
  stream: Type.Optional(StreamIdentifier),
  labels: Type.Optional(LabelNames),
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'With `delete`: deletes builds even if they are in a release or have a usable share link.',
    }),
  ),
})
type Body = Static<typeof Body>
type Owner = { id: string; workspace_id: string }

const Result = Type.Object(
  {
    build_id: Type.String(),
    done: Type.Boolean(),
    code: Type.Optional(Type.String({ description: 'Error code, if the action failed.' })),
    message: Type.String(),
  },
  { title: 'BulkResult' },
)

export const updateBuilds = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/bulk',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Apply an action to several builds',
  description:
    'Applies the action to up to 100 builds. `move` requires `stream`; `label` and `unlabel` require `labels`. Each build succeeds or fails independently: `delete` without `force` fails with `build.held` for builds that are in a release or have a usable share link.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Body,
  returns: Type.Object({ message: Type.String(), data: Type.Array(Result) }),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    await requireActionFields(call, application.id, body)
    const failures = await changeTogether(call, application, body)
    const data = body.build_ids.map((id) => resultOf(id, failures.get(id)))
    const count = data.filter(({ done }) => done).length
    return { message: `${count} of ${data.length} builds changed.`, data }
  },
})

async function requireActionFields({ db }: Call, applicationId: string, { action, stream, labels }: Body) {
  if (action === 'move') {
    if (stream === undefined) throw invalid({ stream: ['is required when `action` is "move".'] })
    await requireStreamId(db, applicationId, stream)
  }
  if ((action === 'label' || action === 'unlabel') && (labels ?? []).length === 0)
    throw invalid({ labels: [`is required when \`action\` is "${action}".`] })
}

/**
 * Applies the action to all builds in one transaction or, if that fails, to one at a time. Returns why it failed, by the
 * ID of the build.
 */
async function changeTogether(call: Call, application: Owner, body: Body): Promise<Map<string, Problem>> {
  const failures = new Map<string, Problem>()
  const pending = new Set(body.build_ids)
  const fail = (error: unknown, id: string) => {
    if (!(error instanceof Problem)) throw error
    failures.set(id, error)
  }
  try {
    await runBatchWithFallback(body.build_ids, {
      async work(ids) {
        const failed = await applyAction(call, application, ids, body)
        for (const [id, problem] of failed) failures.set(id, problem)
        for (const id of ids) pending.delete(id)
        return ids.length - failed.size
      },
      onError: fail,
    })
  } catch (error) {
    for (const id of pending) if (!failures.has(id)) fail(error, id)
  }
  return failures
}

const resultOf = (id: string, problem: Problem | undefined): Static<typeof Result> =>
  problem === undefined
    ? { build_id: id, done: true, message: 'Done.' }
    : { build_id: id, done: false, code: problem.code, message: problem.message }

/** Applies the action to builds in one transaction. Returns the builds to which it cannot be applied, with the reason. */
function applyAction(
  call: Call,
  application: Owner,
  ids: string[],
  { action, stream = '', labels = [], force = false }: Body,
): Promise<ReadonlyMap<string, Problem>> {
  const ref = { applicationId: application.id, workspaceId: application.workspace_id }
  const changes = {
    keep: { keepForever: true },
    unkeep: { keepForever: false },
    move: { stream },
    label: { addedLabels: labels },
    unlabel: { removedLabels: labels },
  }
  return inTransaction(call.db, (tx) => {
    if (action === 'delete') return moveBuildsToTrash(tx, call, application.id, ids, { force })
    if (action === 'restore') return restoreBuildsFromTrash(tx, call, application.id, ids)
    return changeBuilds(tx, call, ref, ids, changes[action])
  })
}
