import { escapeHtml } from '../../lib/html.ts'
import { resolve, type ReferenceDocument, type WebhookOperation } from './reference-document.ts'
import { prose, renderFields } from './reference-fields.ts'
import { anchorLink } from './reference-operation.ts'

export const webhooksId = 'webhook-events'

/** Renders the headers of webhook requests, and every event with the fields of its payload. */
export function renderWebhooks(document: ReferenceDocument): string {
  const events = Object.entries(document.webhooks).map(([name, { post }]) => ({ name, ...post }))
  const headers = events[0]?.parameters ?? []
  const rows = headers
    .map(({ name, description }) => `<li><code>${escapeHtml(name)}</code><p>${prose(description)}</p></li>`)
    .join('')
  return `<section id="${webhooksId}"><h2>Webhook events${anchorLink(webhooksId)}</h2>
<article id="webhook-headers"><div><h3>Request headers${anchorLink('webhook-headers')}</h3><p>Every request to a webhook has these headers.</p><ul class="fields">${rows}</ul></div></article>
${events.map((event) => renderEvent(event, document)).join('')}</section>`
}

function renderEvent(
  { name, description, operationId, requestBody }: WebhookOperation & { name: string },
  document: ReferenceDocument,
): string {
  const schema = requestBody.content['application/json']?.schema
  const fields = schema === undefined ? '' : renderFields(resolve(schema, document), operationId)
  return `<article id="${operationId}"><div><h3>${escapeHtml(name)}${anchorLink(operationId)}</h3><p>${prose(description)}</p>${fields}</div></article>`
}
