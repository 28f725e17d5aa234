import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { readConfig } from '../../config/config.ts'
import { listen } from './listener.ts'

test('names the address and the reason if the server cannot listen', async () => {
  // The address is reserved for documentation (RFC 5737), so no machine has it.
  const config = readConfig({ QUAYSIDE_HOST: '192.0.2.1', QUAYSIDE_PORT: '4499' })
  await assert.rejects(listen(createServer(), config), {
    code: 'server.cannot_listen',
    message:
      'Cannot listen on 192.0.2.1:4499: this machine does not have this address. Check QUAYSIDE_HOST and QUAYSIDE_PORT.',
  })
})
