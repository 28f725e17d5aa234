import type { Config } from '../../../config/config.ts'
import { symbol } from '../../../http/endpoint/symbols.ts'
import type { DocumentContent } from '../../../http/pages/document.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import { html, type Html } from '../../../lib/html.ts'
import { codeLifeMinutes } from './portal-code.db.ts'
import { brandedDocument, renderBrand } from './portal-document.ts'
import type { VisitedPortal } from './visited-portal.ts'

type Call = { config: Config; text: VisitorText }

type Field = { name: string; label: string; attributes: Html; error: string | undefined }

const renderField = ({ name, label, attributes, error }: Field): Html =>
  html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      ${attributes}
      required
      autofocus
      ${error !== undefined && html`aria-invalid="true" aria-describedby="error"`}
    />
    ${error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`}`

/** Returns the form with which a visitor of a private portal requests a code. It shows only what the portal is called. */
export function emailDocument(
  { config, text }: Call,
  portal: VisitedPortal,
  { email = '', error }: { email?: string; error?: string },
): DocumentContent {
  const { signIn } = text.portal
  const title = signIn.title(portal.name)
  const attributes = html`type="email" maxlength="254" autocomplete="email" value="${email}"`
  const body = html`${renderBrand(config, portal, false)}
    <form class="card notice" method="post" action="${portal.base}/code">
      <div class="symbol">${symbol('mail')}</div>
      <h1>${title}</h1>
      <p>${signIn.text}</p>
      ${renderField({ name: 'email', label: signIn.label, attributes, error })}
      <button>${signIn.submit}</button>
    </form>`
  return { ...brandedDocument(config, portal), title, body }
}

/** Returns the form in which a visitor enters a code. It does not reveal whether the address may open the portal. */
export function codeDocument(
  { config, text }: Call,
  portal: VisitedPortal,
  { email, error }: { email: string; error?: string },
): DocumentContent {
  const { signIn } = text.portal
  const attributes = html`type="text" inputmode="numeric" maxlength="20" autocomplete="one-time-code"`
  const body = html`${renderBrand(config, portal, false)}
    <form class="card notice" method="post" action="${portal.base}/session">
      <div class="symbol">${symbol('lock')}</div>
      <h1>${signIn.codeTitle}</h1>
      <p>${signIn.codeText(html`<strong>${email}</strong>`, codeLifeMinutes)}</p>
      ${renderField({ name: 'code', label: signIn.codeLabel, attributes, error })}
      <button>${signIn.codeSubmit}</button>
      <a class="small" href="${portal.home}">${signIn.otherEmail}</a>
    </form>`
  return { ...brandedDocument(config, portal), title: signIn.codeTitle, body }
}
