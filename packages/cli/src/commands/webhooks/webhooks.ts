import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addWebhooksCreate } from './create.ts'
import { addWebhooksDelete } from './delete.ts'
import { addWebhooksDeliveries } from './deliveries.ts'
import { addWebhooksEdit } from './edit.ts'
import { addWebhooksList } from './list.ts'
import { addWebhooksRedeliver } from './redeliver.ts'
import { addWebhooksTest } from './test.ts'
import { addWebhooksView } from './view.ts'

export function addWebhooks(program: Command, runtime: Runtime): void {
  const webhooks = addCommandGroup(program, 'webhooks', 'list, show, create, change and test webhooks')
  addWebhooksList(webhooks, runtime)
  addWebhooksView(webhooks, runtime)
  addWebhooksCreate(webhooks, runtime)
  addWebhooksEdit(webhooks, runtime)
  addWebhooksDelete(webhooks, runtime)
  addWebhooksTest(webhooks, runtime)
  addWebhooksDeliveries(webhooks, runtime)
  addWebhooksRedeliver(webhooks, runtime)
}
