import { pino } from 'pino'
import { createSecretBox } from '../src/crypto/secret-box.ts'
import { connectDatabase } from '../src/database/connect.ts'
import { listenForNotifications } from '../src/database/listen.ts'
import { dependents } from '../src/dependents.ts'
import { startWebhookSender } from '../src/features/webhooks/webhook-sender.ts'
import { noMetrics } from '../src/lib/metrics.ts'
import { createAddressRules } from '../src/net/address-rules.ts'
import { createPoster } from '../src/net/outgoing.ts'

// Sends the webhook requests of the database in DATABASE_URL until the process is killed.
const connection = { connectionString: process.env['DATABASE_URL'] ?? '' }
const log = pino({ level: 'warn' }, pino.destination(2))
const { db } = connectDatabase({ connection, maxConnections: 16, log })
const sender = startWebhookSender({
  db,
  dependents,
  eventStreams: { announce: () => undefined },
  metrics: noMetrics,
  log,
  secretBox: createSecretBox('the master secret of the webhook tests'),
  webhookPoster: createPoster(createAddressRules(['127.0.0.0/8'])),
})
listenForNotifications({ connection, channels: { quayside_events: sender.wake }, log })
