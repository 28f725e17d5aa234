import { platformResource } from '../../../catalog/platforms.ts'
import { symbol } from '../../../http/endpoint/symbols.ts'
import type { DocumentContent } from '../../../http/pages/document.ts'
import type { PageCall } from '../../../http/pages/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { BuildRow } from '../../builds/build.db.ts'
import { versionWithNumber } from '../../builds/build.ts'
import { requireApplicationOfPage } from '../../download-pages/download-page.db.ts'
import {
  maxEmailLength,
  maxNameLength,
  maxScreenshots,
  maxTextLength,
  type FieldName,
} from './read-feedback.ts'

/** The page to which a feedback form belongs. */
export type FeedbackPage = {
  applicationId: string
  /** The builds that visitors can choose. */
  builds: readonly BuildRow[]
  /** The path of the page. The form is at `/feedback` below it. */
  path: string
  /** The address of the visitor, if the link tells it. */
  email?: string
}

/** The name of the path below a page at which its feedback form is. */
export const feedbackPathOf = ({ path }: Pick<FeedbackPage, 'path'>): string => `${path}/feedback`

/** Asks browsers based on Chromium for the model and the version, which their `User-Agent` header does not contain. */
const hintHeaders = { 'accept-ch': 'Sec-CH-UA-Model, Sec-CH-UA-Platform-Version' }

type Typed = { fields: ReadonlyMap<string, string>; errors: Partial<Record<FieldName, string>> }

const nothingTyped: Typed = { fields: new Map(), errors: {} }

/** Returns the form with which visitors send feedback, with what they typed and what is wrong with it. */
export async function feedbackDocument(
  call: Pick<PageCall, 'db' | 'device' | 'text'>,
  page: FeedbackPage,
  { fields, errors }: Typed = nothingTyped,
): Promise<DocumentContent & { headers: Record<string, string> }> {
  const text = call.text.feedback
  const application = await requireApplicationOfPage(call.db, page.applicationId)
  const form: Form = { fields, errors, text }
  const hasErrors = Object.keys(errors).length > 0
  const body = html`<form
      class="card form"
      method="post"
      action="${feedbackPathOf(page)}"
      enctype="multipart/form-data"
    >
      <h1>${text.title}</h1>
      <p class="small">${text.about(application.name)}</p>
      ${hasErrors && html`<p class="error" role="alert">${text.incomplete}</p>`}
      ${renderBuilds(call, page, form)} ${renderText(form)} ${renderRating(form)} ${renderScreenshots(form)}
      ${page.email === undefined ? renderPerson(form) : html`<p class="small">${text.sentAs(html`<strong>${page.email}</strong>`)}</p>`}
      <button>${text.submit}</button>
      <p class="small">${text.privacy}</p>
    </form>
    <p class="small back"><a href="${page.path}">${text.back}</a></p>`
  return { title: `${text.title} · ${application.name}`, body, headers: hintHeaders }
}

/** Returns the page that confirms that feedback was sent. */
export function thanksDocument({ text }: Pick<PageCall, 'text'>, page: FeedbackPage): DocumentContent {
  const { thanks } = text.feedback
  const body = html`<section class="card notice">
    <div class="symbol">${symbol('check')}</div>
    <h1>${thanks.title}</h1>
    <p>${thanks.text}</p>
    <a class="button secondary" href="${page.path}">${text.feedback.back}</a>
  </section>`
  return { title: thanks.title, body }
}

type Form = Typed & { text: PageCall['text']['feedback'] }

/** Returns the attributes that connect a field with its hint and its error. */
const describedBy = (name: FieldName, { errors }: Form, hasHint = false): Html => {
  const ids = [...(hasHint ? [`${name}-hint`] : []), ...(errors[name] === undefined ? [] : [`${name}-error`])]
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${errors[name] !== undefined && html`aria-invalid="true"`}`
}

const renderError = (name: FieldName, { errors }: Form): Html | false =>
  errors[name] !== undefined && html`<p class="error" id="${name}-error">${errors[name]}</p>`

/** Renders the choice of a build, starting with one for the device of the visitor. */
function renderBuilds(
  { device }: Pick<PageCall, 'device'>,
  { builds }: FeedbackPage,
  form: Form,
): Html | false {
  const [only, ...more] = builds
  if (only === undefined || more.length === 0) return false
  const selected = form.fields.get('build_id') ?? builds.find(({ platform }) => platform === device)?.id
  return html`<label for="build_id">${form.text.build}</label>
    <select id="build_id" name="build_id" ${describedBy('build_id', form)}>
      ${builds.map(
        (build) =>
          html`<option value="${build.id}" ${build.id === selected && html`selected`}>
            ${nameOf(build)}
          </option>`,
      )}
    </select>
    ${renderError('build_id', form)}`
}

const nameOf = (build: BuildRow): string =>
  [platformResource(build.platform).name, ...build.architectures, versionWithNumber(build)].join(' · ')

const renderText = (form: Form): Html =>
  html`<label for="text">${form.text.message}</label>
    <textarea
      id="text"
      name="text"
      rows="6"
      maxlength="${maxTextLength}"
      required
      ${describedBy('text', form, true)}
    >
${form.fields.get('text') ?? ''}</textarea>
    <p class="small" id="text-hint">${form.text.messageHint}</p>
    ${renderError('text', form)}`

function renderRating(form: Form): Html {
  const current = form.fields.get('rating') ?? ''
  return html`<fieldset>
    <legend>${form.text.rating}</legend>
    <div class="rating">
      ${[1, 2, 3, 4, 5].map(
        (stars) =>
          html`<label
            ><input
              type="radio"
              name="rating"
              value="${stars}"
              ${current === String(stars) && html`checked`}
              aria-label="${form.text.stars(stars)}"
            /><span aria-hidden="true">${stars} ${'★'}</span></label
          >`,
      )}
    </div>
    ${renderError('rating', form)}
  </fieldset>`
}

const renderScreenshots = (form: Form): Html =>
  html`<label for="screenshots">${form.text.screenshots}</label>
    <input
      id="screenshots"
      name="screenshots"
      type="file"
      accept="image/png,image/jpeg,image/webp"
      multiple
      ${describedBy('screenshots', form, true)}
    />
    <p class="small" id="screenshots-hint">${form.text.screenshotsHint(maxScreenshots)}</p>
    ${renderError('screenshots', form)}`

const renderPerson = (form: Form): Html =>
  html`<label for="name">${form.text.name}</label>
    <input
      id="name"
      name="name"
      maxlength="${maxNameLength}"
      autocomplete="name"
      value="${form.fields.get('name') ?? ''}"
      ${describedBy('name', form)}
    />
    ${renderError('name', form)}
    <label for="email">${form.text.email}</label>
    <input
      id="email"
      name="email"
      type="email"
      maxlength="${maxEmailLength}"
      autocomplete="email"
      value="${form.fields.get('email') ?? ''}"
      ${describedBy('email', form, true)}
    />
    <p class="small" id="email-hint">${form.text.emailHint}</p>
    ${renderError('email', form)}`
