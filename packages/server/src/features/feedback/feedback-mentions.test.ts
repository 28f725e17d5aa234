import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { sendForm } from '../../../test/feedback.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('notifies a mentioned member of feedback from a personal link but not from a public one', async () => {
  const tenant = await service.tenant()
  const groups = groupCalls(service, tenant)
  const { build } = await uploadedBuild(service, tenant, {})
  const group = await groups.group(['kim@example.com'])
  await groups.share(group, await groups.release([build.id]))
  await service.call('PATCH', `/distribution-groups/${group}`, {
    key: tenant.workspaceKey,
    body: { feedback_enabled: true },
  })
  const personal = await groupLink(service, tenant, 'kim@example.com')
  const { url } = await shareCalls(service, tenant).createLink({ feedback_enabled: true })
  const person = await insertMember(service, tenant, { name: 'Odo Vance', workspaceRole: 'owner' })
  const session = await service.signIn(person, tenant.workspaceId)
  const mentions = async (): Promise<number> =>
    (await service.call('GET', '/notifications', { key: session })).body.data.length
  for (const [link, expected] of [
    [url, 0],
    [personal, 1],
  ] as const) {
    service.deps.publicFeedback.byNetwork.forget('127.0.0.1')
    assert.equal((await sendForm(link, { fields: { text: 'For @Odo Vance' } })).status, 303)
    assert.equal(await mentions(), expected, link)
  }
})
