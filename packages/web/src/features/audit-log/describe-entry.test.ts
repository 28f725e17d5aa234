import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuditEntry } from '@quayside/sdk'
import { describeEntry, entryParts } from './describe-entry.ts'

function entry(action: string, { before = null, after = null, application_id = null }: Partial<AuditEntry>) {
  const [type = ''] = action.split('.')
  return {
    id: '1',
    action,
    subject: { type, id: 'x1' },
    actor: { kind: 'user', id: 'u1', name: 'Ana Ruiz' },
    address: null,
    application_id,
    before,
    after,
    created_at: '2026-11-22T10:00:00.000000Z',
  } as AuditEntry
}

describe('the description of an audit entry', () => {
  test('contains the name that the resource has after the change', () => {
    const change = { before: { name: 'beta' }, after: { name: 'nightlies' } }
    assert.equal(describeEntry(entry('stream.updated', change)), 'updated stream nightlies')
    assert.deepEqual(entryParts(entry('stream.updated', change)), {
      lead: 'updated stream',
      name: 'nightlies',
    })
  })

  test('contains the last name of a deleted resource', () => {
    const change = { before: { name: 'CI' }, after: null }
    assert.equal(describeEntry(entry('api_key.revoked', change)), 'revoked API key CI')
  })

  test('calls a build by its version', () => {
    const after = { version: '2.14.0', filename: 'app.apk' }
    assert.equal(describeEntry(entry('build.created', { after })), 'uploaded build 2.14.0')
    assert.equal(describeEntry(entry('build.processed', { after })), 'read the package of build 2.14.0')
    const unread = { ...after, processing_error: 'The file is not a ZIP archive.' }
    assert.equal(
      describeEntry(entry('build.processed', { after: unread })),
      'could not read the package of build 2.14.0',
    )
  })

  test('calls a workspace by its name and not by the address of its owner', () => {
    const after = { email: 'ana@example.com', name: 'Acme Games' }
    assert.equal(describeEntry(entry('workspace.set_up', { after })), 'set up Acme Games')
    assert.equal(
      describeEntry(entry('workspace.set_up', { after: { email: 'ana@example.com' } })),
      'set up the workspace',
    )
  })

  test('completes a sentence without a name', () => {
    assert.equal(describeEntry(entry('api_key.created', {})), 'created an API key')
    assert.equal(describeEntry(entry('stream.deleted', { before: { name: '' } })), 'deleted a stream')
    assert.equal(describeEntry(entry('webhook.tested', {})), 'sent a test to the webhook')
  })

  test('says that a person joined, without the email address of that person', () => {
    const after = { email: 'mina@example.com' }
    assert.equal(describeEntry(entry('invitation.accepted', { after })), 'joined the workspace')
    const accepted = entry('invitation.accepted', { after, application_id: 'a' })
    assert.equal(describeEntry(accepted), 'accepted an invitation')
    assert.equal(describeEntry(accepted, 2), 'accepted 2 invitations')
  })

  test('describes an action that the console does not know', () => {
    const after = { name: 'Tools' }
    assert.equal(
      describeEntry(entry('shared_folder.made_public', { after })),
      'made public shared folder Tools',
    )
  })
})

describe('the description of several entries of one kind', () => {
  test('contains their number', () => {
    assert.equal(describeEntry(entry('build.created', {}), 3), 'uploaded 3 builds')
    assert.equal(describeEntry(entry('build.purged', {}), 12), 'permanently deleted 12 builds')
    assert.equal(describeEntry(entry('share_link.created', {}), 2), 'created 2 share links')
    assert.equal(describeEntry(entry('webhook_request.redelivered', {}), 5), 'redelivered 5 webhook requests')
  })

  test('counts people', () => {
    assert.equal(describeEntry(entry('invitation.created', {}), 4), 'invited 4 people')
    assert.equal(describeEntry(entry('member.deleted', {}), 2), 'removed 2 people')
  })

  test('counts how often something was done to one resource', () => {
    assert.equal(describeEntry(entry('webhook.tested', {}), 2), 'sent a test to the webhook, 2 times')
  })
})
