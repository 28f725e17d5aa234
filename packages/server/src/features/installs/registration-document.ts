import { symbol } from '../../http/endpoint/symbols.ts'
import type { DocumentContent } from '../../http/pages/document.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { AppleBrowser } from '../../lib/apple-browser.ts'
import { html } from '../../lib/html.ts'

type Form = {
  /** The path of the page, and that of the page of the download. */
  path: string
  pagePath: string
  pageUrl: string
  /** The URL of the profile; undefined if the server cannot offer it because it has no HTTPS. */
  profileUrl: string | undefined
  browser: AppleBrowser
  /** Whether the visitor uses a device that can be registered, or a computer that could be one. */
  isOnDevice: boolean
  /** What the visitor entered, and why it was rejected. */
  rejected?: { value: string }
}

/** Returns the page on which a visitor registers an iPhone or iPad. */
export function registrationDocument(form: Form, text: VisitorText): DocumentContent {
  const { devices } = text
  const { path, pagePath, profileUrl, browser, rejected } = form
  const { device } = browser
  const canOpenProfile = browser.isSafari && profileUrl !== undefined
  const title = form.isOnDevice ? devices.title(device) : devices.titleElsewhere
  const body = html`<section class="card form">
      <h1>${title}</h1>
      <p>${devices.purpose}</p>
      ${
        canOpenProfile
          ? html`<ol class="steps">
                ${devices.steps.map((step) => html`<li>${step}</li>`)}
              </ol>
              <a class="button" href="${profileUrl}">${symbol('download')} ${devices.loadProfile}</a>`
          : html`<div class="hint">
              <strong
                >${profileUrl === undefined ? text.ios.insecure.title : text.ios.otherBrowser.title}</strong
              >
              <p>${profileUrl === undefined ? devices.insecure : devices.otherBrowser}</p>
              ${
                profileUrl !== undefined &&
                html`<p>${text.ios.copyLink}</p>
                  <pre><code class="copied">${form.pageUrl}</code></pre>`
              }
            </div>`
      }
      <p class="small">${devices.privacy}</p>
      <details ${(rejected !== undefined || !canOpenProfile) && html`open`}>
        <summary>${devices.enter}</summary>
        <p class="small">${devices.whereToFind}</p>
        <form class="entry" method="post" action="${path}">
          <label for="udid">${devices.udid}</label>
          <input
            id="udid"
            name="udid"
            value="${rejected?.value ?? ''}"
            maxlength="100"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            required
            ${rejected !== undefined && html`aria-invalid="true" aria-describedby="error"`}
          />
          ${rejected !== undefined && html`<p class="error" id="error" role="alert">${devices.invalid}</p>`}
          <button class="secondary">${devices.submit}</button>
        </form>
      </details>
    </section>
    <p class="small back"><a href="${pagePath}">${devices.back}</a></p>`
  return { title, body }
}

type Confirmed = { pagePath: string; device: string; isOnDevice: boolean; isIncluded: boolean }

/** Returns the page that confirms a registration. */
export function registeredDocument(
  { pagePath, device, isOnDevice, isIncluded }: Confirmed,
  { devices }: VisitorText,
): DocumentContent {
  const title = isOnDevice ? devices.registered(device) : devices.registeredElsewhere
  const body = html`<section class="card notice">
    <div class="symbol">${symbol('check')}</div>
    <h1>${title}</h1>
    <p>${isIncluded ? devices.included : devices.waiting}</p>
    <a class="button ${isIncluded ? '' : 'secondary'}" href="${pagePath}"
      >${isIncluded ? devices.install : devices.back}</a
    >
  </section>`
  return { title, body }
}
