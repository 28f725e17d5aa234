import { Html, html, type Fragment } from '../../lib/html.ts'
import { colors, fonts } from '../pages/design-tokens.ts'
import { renderUserMarkdown } from '../pages/user-markdown.ts'

type MailContent = {
  /** The name or address of who sends the email, shown above it. */
  sender: string
  title: string
  paragraphs: readonly Fragment[]
  /** The link that the email is about. */
  button?: { label: string; url: string }
  /** Shown below the button, such as release notes. */
  content?: Html
  /** What the recipient should know about the email, in small print. */
  footer: readonly Fragment[]
}

const { light, dark } = colors
const text = `margin:0 0 16px;font:16px/1.5 ${fonts.mail};color:${light.ink}`
const small = `margin:0 0 8px;font:13px/1.5 ${fonts.mail};color:${light.soft}`

// Clients that ignore the style element, such as Gmail with accounts of others, show the inline styles of the light mode.
const darkStyle = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media(prefers-color-scheme:dark){
.page{background:${dark.page}!important}
.card{background:${dark.card}!important;border-color:${dark.line}!important}
.ink,.ink p,.ink li,.ink h3,.ink h4,.ink h5,.ink h6,.ink td,.ink th{color:${dark.ink}!important}
.soft,.soft p,.ink blockquote{color:${dark.soft}!important}
.ink a,.soft a{color:${dark.mark}!important}
.ink code,.ink pre{background:${dark.code}!important;color:${dark.ink}!important}
.mark{background:${dark.mark}!important}
.mark.letter,.mark a{color:${dark['on-mark']}!important}
.line,.ink blockquote,.ink td,.ink th,.ink hr{border-color:${dark.line}!important}
}`

/**
 * Returns the HTML part of an email. It consists of tables with inline styles, because mail clients remove much of a
 * style sheet, and loads nothing, so that opening it tells nobody anything.
 */
export function renderMail({ sender, title, paragraphs, button, content, footer }: MailContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${darkStyle}</style>`)}
      </head>
      <body class="page" style="margin:0;padding:0;background:${light.page}">
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:${light.page}"
        >
          <tr>
            <td align="center" style="padding:32px 16px">
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
                <tr>
                  <td style="padding:0 0 16px">${renderSender(sender)}</td>
                </tr>
                <tr>
                  <td
                    class="card"
                    style="padding:32px;background:${light.card};border:1px solid ${light.line};border-radius:12px"
                  >
                    <div class="ink">
                      <p
                        style="margin:0 0 16px;font:600 22px/1.3 ${fonts.mail};color:${light.ink};letter-spacing:-.01em"
                        role="heading"
                        aria-level="1"
                      >
                        ${title}
                      </p>
                      ${paragraphs.map((paragraph) => html`<p style="${text}">${paragraph}</p>`)}
                    </div>
                    ${button !== undefined && renderButton(button)}
                    ${
                      content !== undefined &&
                      html`<div
                        class="ink line"
                        style="margin:28px 0 0;padding:24px 0 0;border-top:1px solid ${light.line}"
                      >
                        ${content}
                      </div>`
                    }
                  </td>
                </tr>
                <tr>
                  <td class="soft" style="padding:20px 32px 0">
                    ${footer.map((line) => html`<p style="${small}">${line}</p>`)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup
}

function renderSender(sender: string): Html {
  const [letter = ''] = sender
  return html`<table role="presentation" cellpadding="0" cellspacing="0">
    <tr>
      <td
        class="mark letter"
        width="32"
        height="32"
        align="center"
        aria-hidden="true"
        style="width:32px;height:32px;font:600 16px/32px ${fonts.mail};text-align:center;color:${light['on-mark']};background:${light.mark};border-radius:8px"
      >
        ${letter.toUpperCase()}
      </td>
      <td class="ink" style="padding:0 0 0 10px">
        <p style="margin:0;font:600 15px/1.4 ${fonts.mail};color:${light.ink}">${sender}</p>
      </td>
    </tr>
  </table>`
}

/** Renders a link as a button, and its URL below for clients and people that do not follow buttons. */
const renderButton = ({ label, url }: { label: string; url: string }): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 20px">
      <tr>
        <td class="mark" style="background:${light.mark};border-radius:8px">
          <a
            href="${url}"
            style="display:inline-block;padding:13px 24px;font:600 16px/1.25 ${fonts.mail};color:${light['on-mark']};text-decoration:none"
            >${label}</a
          >
        </td>
      </tr>
    </table>
    <div class="soft">
      <p style="margin:0;font:12px/1.5 ${fonts.mail};color:${light.soft};word-break:break-all">
        <a href="${url}" style="color:${light.mark};text-decoration:none">${url}</a>
      </p>
    </div>`

const notesStyles: Readonly<Record<string, string>> = {
  p: `margin:0 0 12px;font:15px/1.6 ${fonts.mail};color:${light.ink}`,
  h3: `margin:20px 0 8px;font:600 16px/1.4 ${fonts.mail};color:${light.ink}`,
  ul: 'margin:0 0 12px;padding:0 0 0 24px',
  ol: 'margin:0 0 12px;padding:0 0 0 24px',
  li: `margin:0 0 4px;font:15px/1.6 ${fonts.mail};color:${light.ink}`,
  blockquote: `margin:0 0 12px;padding:0 0 0 16px;border-left:2px solid ${light.line};color:${light.soft}`,
  code: `padding:1px 4px;font:13px/1.5 ${fonts.code};color:${light.ink};background:${light.code};border-radius:4px`,
  table: 'margin:0 0 16px;border-collapse:collapse',
  th: `padding:4px 24px 4px 0;font:600 14px/1.5 ${fonts.mail};text-align:left;border-bottom:1px solid ${light.line};color:${light.ink}`,
  pre: `margin:0 0 12px;padding:12px;white-space:pre-wrap;word-break:break-word;background:${light.code};border-radius:8px`,
  td: `padding:4px 24px 4px 0;font:14px/1.5 ${fonts.mail};text-align:left;border-bottom:1px solid ${light.line};color:${light.ink}`,
  hr: `border:0;border-top:1px solid ${light.line}`,
  a: `color:${light.mark}`,
}
const sameStyle: Readonly<Record<string, string>> = { h4: 'h3', h5: 'h3', h6: 'h3' }
const codeInBlock = `font:13px/1.5 ${fonts.code};color:${light.ink}`

/** Renders Markdown as the pages do, with inline styles. */
export function renderMailMarkdown(source: string): Html {
  // Outside the tags that the renderer writes, its output contains no `<`.
  const markup = renderUserMarkdown(source)
    .markup.replaceAll('<pre><code>', `<pre><code class="block" style="${codeInBlock}">`)
    .replaceAll(/<input[^>]*>/g, (input) => (input.includes('checked') ? '☑' : '☐'))
    .replaceAll(/<([a-z]\w*)(?=[\s>])(?! class)/g, (tag, name: string) => {
      const style = notesStyles[sameStyle[name] ?? name]
      return style === undefined ? tag : `${tag} style="${escapeQuotes(style)}"`
    })
  return new Html(markup)
}

const escapeQuotes = (style: string): string => style.replaceAll('"', '&quot;')

/** Returns text as one line, for subjects and sentences. */
export const oneLine = (value: string): string => value.trim().replaceAll(/\s+/g, ' ')
