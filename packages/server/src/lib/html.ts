/** Markup that is inserted into a page without escaping. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }

  toString(): string {
    return this.markup
  }
}

/** A value in an `html` template. `undefined` and `false` are rendered as nothing. */
export type Fragment = Html | string | number | undefined | false | readonly Fragment[]

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const markupOf = (fragment: Fragment): string => {
  if (fragment instanceof Html) return fragment.markup
  if (Array.isArray(fragment)) return (fragment as readonly Fragment[]).map(markupOf).join('')
  return fragment === undefined || fragment === false ? '' : escapeHtml(String(fragment))
}

/** Returns the markup of a template whose values are escaped. Attribute values must be quoted. */
export const html = (strings: TemplateStringsArray, ...values: Fragment[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(markupOf)))
