import { Type, type Static } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { changeBuild, LabelNames, StreamIdentifier } from './change-build.ts'
import { moveBuildToTrash, restoreFromTrash } from './trash-build.ts'

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
    const data: Static<typeof Result>[] = []
    for (const id of body.build_ids)
      data.push(await attempt(id, () => applyAction(call, application.id, id, body)))
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

async function applyAction(
  call: Call,
  applicationId: string,
  id: string,
  { action, stream = '', labels = [], force = false }: Body,
): Promise<void> {
  const changes = {
    keep: { keep_forever: true },
    unkeep: { keep_forever: false },
    move: { stream },
    label: { addLabels: labels },
    unlabel: { removeLabels: labels },
  }
  if (action === 'delete')
    await inTransaction(call.db, (tx) => moveBuildToTrash(tx, call, applicationId, id, { force }))
  else if (action === 'restore') await restoreFromTrash(call, applicationId, id)
  else await changeBuild(call, applicationId, id, changes[action])
}

async function attempt(id: string, work: () => Promise<void>): Promise<Static<typeof Result>> {
  try {
    await work()
    return { build_id: id, done: true, message: 'Done.' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { build_id: id, done: false, code: error.code, message: error.message }
  }
}
