import { readClock } from '../../../database/health.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { requireExpiry } from '../../../http/endpoint/lifetime.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireChannelOfPath, requireLockedChannel, saveChannel } from '../channel.db.ts'
import { ChannelParams, channelUrl } from '../channel.ts'
import { countUsableReadKeys, insertReadKey } from './channel-read-key.db.ts'
import {
  CreatedReadKey,
  generateReadKey,
  maxReadKeys,
  NewReadKey,
  readKeyAuditSnapshot,
  readKeyResource,
  tooManyReadKeys,
} from './channel-read-key.ts'

export const createReadKey = endpoint({
  method: 'POST',
  path: '/applications/:application_id/channels/:channel_id/read-keys',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a read key',
  description:
    'Only this response contains the complete key; the server stores just its hash. Clients send it in the path or as the password of HTTP Basic authentication.',
  params: ChannelParams,
  body: NewReadKey,
  status: 201,
  refuses: [tooManyReadKeys],
  returns: one(CreatedReadKey),
  load: requireChannelOfPath,
  async handle({ application, channel: { id }, body, ...call }) {
    const expires_at = requireExpiry(body.expires_at, await readClock(call.db), call.actor)
    const { key, prefix, sha256 } = generateReadKey()
    const row = await inTransaction(call.db, async (tx) => {
      await requireLockedChannel(tx, application.id, id)
      if ((await countUsableReadKeys(tx, id)) >= maxReadKeys) throw tooManyReadKeys({ max: maxReadKeys })
      const inserted = await insertReadKey(tx, id, {
        name: body.name.trim(),
        prefix,
        key_sha256: sha256,
        cohort: body.cohort?.trim() ?? null,
        max_downloads: body.max_downloads ?? null,
        expires_at,
      })
      await saveChannel(tx, id)
      await recordEvent(tx, call, {
        action: 'channel_read_key.created',
        applicationId: application.id,
        subject: { type: 'channel_read_key', id: inserted.id },
        after: { ...readKeyAuditSnapshot(inserted), channel_id: id },
      })
      return inserted
    })
    const url = `${channelUrl(call, id)}/k/${key}`
    return { message: 'Read key created.', data: { ...readKeyResource(row), key, url } }
  },
})
