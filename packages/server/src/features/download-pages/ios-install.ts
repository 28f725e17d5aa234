import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import { html, type Html } from '../../lib/html.ts'
import type { BuildRow } from '../builds/build.db.ts'
import type { IosState, IosVisit } from './ios-state.ts'
import { iosInfoOf } from './package-facts.ts'

/** Renders how the visitor installs a build on the iPhone or iPad: the button, or what prevents the installation. */
export function renderIosInstall(
  build: BuildRow,
  visit: IosVisit,
  { ios, locale }: VisitorText,
  fileName: Html,
): Html {
  const state = visit.stateOf(build)
  const { device } = visit.browser
  const explanation = explain(state, visit, { ios, locale })
  if (explanation !== undefined)
    return html`<div class="hint">
        <strong>${explanation.title}</strong>
        <p>${explanation.text}</p>
        ${
          state.name === 'otherBrowser' &&
          html`<p>${ios.copyLink}</p>
            <pre><code class="copied">${visit.pageUrl}</code></pre>`
        }
      </div>
      ${fileName}`
  const isRegistrable = state.name === 'notIncluded'
  return html`${
    isRegistrable
      ? html`<div class="hint">
            <strong>${ios.notIncluded.title(device)}</strong>
            <p>${ios.notIncluded.text}</p>
          </div>
          <a class="button" href="${visit.devicePath}">${ios.register(device)}</a>`
      : html`<a class="button" href="${visit.urlOf(build)}">${symbol('download')} ${ios.install}</a>`
  }
  ${fileName}
  ${state.name === 'included' && html`<p class="good">${symbol('check')} ${ios.included(device)}</p>`}
  ${
    state.name === 'unchecked' &&
    html`<p class="small">
      ${ios.limited}
      <a href="${visit.devicePath}">${ios.check(device)}</a>
    </p>`
  }
  ${
    !isRegistrable &&
    html`<details>
      <summary>${ios.howToInstall}</summary>
      <ol>
        ${stepsOf(build, ios).map((step) => html`<li>${step}</li>`)}
      </ol>
    </details>`
  }`
}

/** Renders the same as `renderIosInstall` in a row of a list. */
export function renderIosButton(
  build: BuildRow,
  visit: IosVisit,
  { ios, locale }: VisitorText,
  filename: string,
): Html {
  const state = visit.stateOf(build)
  const explanation = explain(state, visit, { ios, locale })
  if (explanation !== undefined) return html`<span class="unavailable">${explanation.title}</span>`
  if (state.name === 'notIncluded')
    return html`<a
      class="button"
      href="${visit.devicePath}"
      aria-label="${ios.register(visit.browser.device)}"
      >${ios.registerShort}</a
    >`
  return html`<a class="button" href="${visit.urlOf(build)}" aria-label="${ios.install} ${filename}"
    >${ios.install}</a
  >`
}

type Explanation = { title: string; text: string }

function explain(
  state: IosState,
  { browser }: IosVisit,
  { ios, locale }: Pick<VisitorText, 'ios' | 'locale'>,
): Explanation | undefined {
  if (state.name === 'expired') {
    const date = state.at.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
    return { title: ios.expired.title, text: ios.expired.text(date) }
  }
  if (state.name === 'tooOld')
    return { title: ios.tooOld.title(state.minimum), text: ios.tooOld.text(browser.device, state.current) }
  if (state.name === 'processing' || state.name === 'insecure' || state.name === 'storeOnly')
    return ios[state.name]
  return state.name === 'noProfile' || state.name === 'otherBrowser' ? ios[state.name] : undefined
}

function stepsOf(build: BuildRow, { steps }: VisitorText['ios']): string[] {
  const type = iosInfoOf(build)?.key_type
  if (type === 'enterprise') return [...steps.general, ...steps.enterprise]
  return type === 'development' ? [...steps.general, ...steps.development] : steps.general
}
