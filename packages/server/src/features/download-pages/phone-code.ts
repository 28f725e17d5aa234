import { encode } from 'uqr'
import type { PageCall } from '../../http/pages/page.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import { localNetwork } from '../../http/wire/local-network.ts'
import { html, Html } from '../../lib/html.ts'

/** What scanners need around a code, in modules (ISO/IEC 18004). */
const quietZone = 4

/** Returns a QR code. Phones read it in dark mode too, because it is always dark on white. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  // Each line of modules that are next to each other is one stroke.
  const path = data
    .flatMap((row, y) => {
      const runs = row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g)
      return [...runs].map(({ index, 0: run }) => `M${index} ${y}.5h${run.length}`)
    })
    .join('')
  return new Html(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" aria-hidden="true"><rect width="${size}" height="${size}" fill="#fff"/><path stroke="#101418" d="${path}"/></svg>`,
  )
}

/**
 * Renders the QR code of a page that a computer shows. Renders nothing on phones, and if the URL leads each device to
 * itself. The stylesheet hides it on devices without a mouse, such as an iPad, which calls itself a Mac.
 */
export function renderPhoneCode(
  url: string,
  { device, config, text }: Pick<PageCall, 'device' | 'config'> & { text: VisitorText },
): Html {
  if (device === 'android' || device === 'ios' || localNetwork(config) !== null) return html``
  return html`<section class="card phone">
    ${qrCode(url)}
    <div>
      <h2>${text.phone.title}</h2>
      <p class="small">${text.phone.text}</p>
    </div>
  </section>`
}
