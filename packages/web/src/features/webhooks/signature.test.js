import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { generateSecret, parseHeaders, verifySignature } from './signature.ts';
const id = '01a204bf-7c88-7000-99e0-7a902e7ffc1c';
const body = '{"event": "build.created", "data": {"build": {"notes": "é ✓"}}}';
const sentAt = new Date('2026-11-22T10:00:00Z');
const timestamp = String(sentAt.getTime() / 1000);
const headersWith = (signature) => parseHeaders(`webhook-id: ${id}\nWebhook-Timestamp: ${timestamp}\nwebhook-signature: ${signature}`);
for (const secret of [generateSecret(), 'a secret of words'])
    test(`verifies a signature made with a ${secret.startsWith('whsec_') ? 'generated' : 'chosen'} secret`, async () => {
        const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
        const headers = headersWith(`v1,b3RoZXI= ${webhook.sign(id, sentAt, body)}`);
        assert.equal(await verifySignature({ headers, body, secret }), 'valid');
        assert.equal(await verifySignature({ headers, body: `${body}\n`, secret }), 'valid-without-newline');
        assert.equal(await verifySignature({ headers, body: body.replace('✓', '✗'), secret }), 'wrong');
        assert.equal(await verifySignature({ headers, body, secret: `${secret}QUJD` }), 'wrong');
    });
test('verifies the hexadecimal signature if there is no other', async () => {
    const secret = 'a secret of words';
    const headers = parseHeaders(`x-webhook-signature: ${createHmac('sha256', secret).update(body).digest('hex')}`);
    assert.equal(await verifySignature({ headers, body, secret }), 'valid');
    assert.equal(await verifySignature({ headers, body, secret: 'another secret' }), 'wrong');
});
test('reports what is missing for a verification', async () => {
    const verdictOf = (text, secret = 'a secret of words') => verifySignature({ headers: parseHeaders(text), body, secret });
    assert.equal(await verdictOf('content-type: application/json'), 'no-signature');
    assert.equal(await verdictOf('webhook-signature: v1,AAAA'), 'no-id');
    assert.equal(await verdictOf(`webhook-id: ${id}\nwebhook-timestamp: 1\nwebhook-signature: v1,AAAA`, 'whsec_%'), 'bad-secret');
});
test('reads headers from logs, JSON and curl commands', () => {
    for (const text of [
        'webhook-id: abc',
        '  "webhook-id": "abc",',
        "-H 'webhook-id: abc' \\",
        'Webhook-Id=abc',
    ])
        assert.equal(parseHeaders(text).get('webhook-id'), 'abc', text);
});
