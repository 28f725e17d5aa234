import type { Browser } from 'playwright-core'

/** Converts a picture with Chromium, because a WebP file has a third of the size of a PNG file. */
export async function toWebp(browser: Browser, png: Buffer, quality: number): Promise<Buffer> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const url = await page.evaluate(
    async ({ source, quality }) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
      return new Promise<string>((resolve, reject) => {
        const reader = new FileReader()
        reader.addEventListener('load', () => resolve(reader.result as string))
        reader.addEventListener('error', () =>
          reject(reader.error ?? new Error('The picture cannot be read.')),
        )
        reader.readAsDataURL(blob)
      })
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality },
  )
  await context.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
