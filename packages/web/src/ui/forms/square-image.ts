import { imageText } from '../../text/image.ts'
const maxPixels = 512
const maxBytes = 512 * 1024

/** An image that the API accepts as an icon. */
export type SquareImage = { content_type: 'image/png'; data: string; url: string }

/**
 * Returns an image file as a square PNG of at most 512 pixels that the API accepts. Nothing is cropped: an image that is
 * not square gets transparent margins. Throws if the browser cannot read the file.
 */
export async function squareImageOf(file: Blob): Promise<SquareImage> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(imageText.unreadable)
  })
  try {
    const largest = Math.max(bitmap.width, bitmap.height)
    for (let pixels = Math.min(maxPixels, Math.max(16, largest)); ; pixels = Math.ceil(pixels / 2)) {
      const url = draw(bitmap, pixels)
      const data = url.slice(url.indexOf(',') + 1)
      if ((data.length * 3) / 4 <= maxBytes) return { content_type: 'image/png', data, url }
    }
  } finally {
    bitmap.close()
  }
}

function draw(bitmap: ImageBitmap, pixels: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = pixels
  canvas.height = pixels
  const scale = pixels / Math.max(bitmap.width, bitmap.height)
  const [width, height] = [bitmap.width * scale, bitmap.height * scale]
  const context = canvas.getContext('2d')
  if (context === null) throw new Error(imageText.noCanvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, (pixels - width) / 2, (pixels - height) / 2, width, height)
  return canvas.toDataURL('image/png')
}
