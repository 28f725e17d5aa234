import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from '../crypto/secret-box.ts'
import { isAddressFailure, readDeliveryReport } from './delivery-report.ts'
import { mailIdOf, returnPathOf } from './return-path.ts'

/** A report as Postfix writes it. */
const report = (fields: string, to = 'bounces@example.com') => `Return-Path: <>
Date: Sat, 28 Nov 2026 06:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="B7A2C4.1764309600/mx.example.com"

This is a MIME-encapsulated message.

--B7A2C4.1764309600/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.
Action: failed
Status: 5.1.1

--B7A2C4.1764309600/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
Arrival-Date: Sat, 28 Nov 2026 06:00:00 +0000 (UTC)

${fields}

--B7A2C4.1764309600/mx.example.com
Content-Type: message/rfc822

From: builds@example.com
Subject: Action: failed

--B7A2C4.1764309600/mx.example.com--
`

const failed = `Final-Recipient: rfc822; ann@example.org
Original-Recipient: rfc822;ann@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected:
    User unknown in virtual mailbox table`

test('reads the reason from the report of a mail server', () => {
  for (const text of [report(failed), report(failed).replaceAll('\n', '\r\n')])
    assert.deepEqual(readDeliveryReport(text), {
      recipients: ['bounces@example.com'],
      failure: {
        status: '5.1.1',
        reason:
          '550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
      },
    })
})

test('ignores delays, deliveries, ordinary emails and damaged reports', () => {
  const messages = [
    report(failed.replace('failed', 'delayed').replace('5.1.1', '4.4.1')),
    report(failed.replace('failed', 'relayed')),
    report(failed.replace(/Status: .*/, 'Status: none')),
    report(''),
    report(failed).replace('multipart/report', 'multipart/mixed'),
    report(failed).replace('message/delivery-status', 'text/plain'),
    'Subject: Out of office\n\nAction: failed\nStatus: 5.1.1\n',
    '',
    '\n\n\n',
    'Content-Type: multipart/report; boundary=',
  ]
  for (const message of messages) assert.equal(readDeliveryReport(message).failure, undefined, message)
})

test('distinguishes rejected addresses from rejected messages', () => {
  assert.deepEqual(['5.1.1', '5.2.2', '5.0.0', '5.7.1', '5.4.4', '5.3.4', '4.2.2'].map(isAddressFailure), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('accepts only return paths with the signature of this installation', () => {
  const [box, other] = [createSecretBox('a'.repeat(64)), createSecretBox('b'.repeat(64))]
  const id = '01a220a1-be27-7000-9460-9d95bdb88b01'
  const path = returnPathOf(box, 'bounces@example.com', id)
  assert.match(path, /^bounces\+[0-9a-f]{32}[0-9a-z]{20}@example\.com$/)
  assert.ok(path.indexOf('@') <= 64)
  assert.equal(mailIdOf(box, path), id)
  assert.equal(mailIdOf(box, path.toUpperCase()), id)
  const forged = path.replace(/.(?=@)/, (letter) => (letter === '2' ? '3' : '2'))
  for (const wrong of [forged, path.replace('be27', 'be28'), 'bounces@example.com', ''])
    assert.equal(mailIdOf(box, wrong), undefined, wrong)
  assert.equal(mailIdOf(other, path), undefined)
})
