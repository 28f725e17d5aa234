import { pino } from 'pino'
import { connectDatabase } from '../src/database/connect.ts'
import { listenForNotifications } from '../src/database/listen.ts'
import { startWebhookSender } from '../src/features/webhooks/webhook-sender.ts'
import { createAddressRules } from '../src/lib/address-rules.ts'
import { noMetrics } from '../src/lib/metrics.ts'
import { createPoster } from '../src/lib/outgoing.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'

// Sends the webhook requests of the database in DATABASE_URL until the process is killed.
const connection = { connectionString: process.env['DATABASE_URL'] ?? '' }
const log = pino({ level: 'warn' }, pino.destination(2))
const { db } = connectDatabase({ connection, maxConnections: 16, log })
const sender = startWebhookSender({
  db,
  metrics: noMetrics,
  log,
  secretBox: createSecretBox('the master secret of the webhook tests'),
  poster: createPoster(createAddressRules(['127.0.0.0/8'])),
})
listenForNotifications({ connection, channel: 'quayside_events', onNotification: sender.wake, log })
