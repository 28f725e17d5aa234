import { Type, type Static } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { findStreamId } from '../streams/stream.db.ts'
import { changeBuild, LabelNames, StreamIdentifier } from './change-build.ts'
import { trashBuild, untrashBuild } from './trash-build.ts'

const Body = Type.Object({
  build_ids: Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  action: Type.Enum(['keep', 'unkeep', 'move', 'label', 'unlabel', 'delete', 'restore']),
  stream: Type.Optional(StreamIdentifier),
  labels: Type.Optional(LabelNames),
})
type Body = Static<typeof Body>

const Result = Type.Object(
  {
    build_id: Type.String(),
    done: Type.Boolean(),
    code: Type.Optional(Type.String({ description: 'Why not, as in errors.' })),
    message: Type.String(),
  },
  { title: 'BulkResult' },
)

export const updateBuilds = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/bulk',
  scope: { workspace: 'builds:write', application: 'builds:write' },
  summary: 'Do the same with up to 100 builds',
  description:
    '`move` needs `stream`; `label` and `unlabel` need `labels`. Each build succeeds or fails by itself: the answer says which.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Body,
  returns: Type.Object({ message: Type.String(), data: Type.Array(Result) }),
  visible: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    await requireComplete(call, application.id, body)
    const data: Static<typeof Result>[] = []
    for (const id of body.build_ids) data.push(await tried(id, () => act(call, application, id, body)))
    const count = data.filter(({ done }) => done).length
    return { message: `${count} of ${data.length} builds changed.`, data }
  },
})

async function requireComplete({ db }: Call, applicationId: string, { action, stream, labels }: Body) {
  if (action === 'move') {
    if (stream === undefined) throw invalid({ stream: ['is required by the action move.'] })
    const id = await findStreamId(db, applicationId, stream)
    if (id === undefined) throw invalid({ stream: [`"${stream}" is not a stream of this application.`] })
  }
  if ((action === 'label' || action === 'unlabel') && (labels ?? []).length === 0)
    throw invalid({ labels: [`is required by the action ${action}.`] })
}

async function act(
  call: Call,
  application: { id: string; workspace_id: string },
  id: string,
  { action, stream = '', labels = [] }: Body,
): Promise<void> {
  switch (action) {
    case 'move':
      await changeBuild(call, application, id, { stream })
      return
    case 'label':
      await changeBuild(call, application, id, { addLabels: labels })
      return
    case 'unlabel':
      await changeBuild(call, application, id, { removeLabels: labels })
      return
    case 'delete':
      return inTransaction(call.db, (tx) => trashBuild(tx, call, application.id, id))
    case 'restore':
      await untrashBuild(call, application.id, id)
      return
    case 'keep':
    case 'unkeep':
      await changeBuild(call, application, id, { keep_forever: action === 'keep' })
  }
}

async function tried(id: string, work: () => Promise<void>): Promise<Static<typeof Result>> {
  try {
    await work()
    return { build_id: id, done: true, message: 'Done.' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { build_id: id, done: false, code: error.code, message: error.message }
  }
}
