/**
 * Returns HTML that looks the same but cannot be used: without fields, in which text would be lost when the page takes the
 * place of its preview, and without scripts, IDs and style attributes, which the content security policy does not allow.
 * `html` comes from React, which escapes quotation marks and angle brackets in text and attributes.
 */
export function toPicture(html: string): string {
  return html
    .replaceAll(/<script[^>]*>.*?<\/script>/gs, '')
    .replaceAll(/<input([^>]*?)\/?>/g, (_, attributes: string) => inputPicture(attributes))
    .replaceAll(/<select([^>]*)>.*?<\/select>/gs, '<span$1></span>')
    .replaceAll(/<textarea([^>]*)>(.*?)<\/textarea>/gs, '<span$1>$2</span>')
    .replaceAll(' style="', ' data-style="')
    .replaceAll(/ (?:id|for|name|autofocus)="[^"]*"/g, '')
}

function inputPicture(attributes: string): string {
  const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  const type = read('type')
  if (type === 'hidden' || type === 'file') return ''
  if (type === 'checkbox' || type === 'radio')
    return `<span${attributes}${/ checked=""/.test(attributes) ? ' data-checked' : ''}></span>`
  const value = type === 'password' ? '' : read('value')
  const text = value === '' ? `<span data-placeholder>${read('placeholder')}</span>` : value
  return `<span${attributes.replace(/ value="[^"]*"/, '')} data-field>${text}</span>`
}
