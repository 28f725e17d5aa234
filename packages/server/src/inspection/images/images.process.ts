import { writeSync } from 'node:fs'
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import pngCodec from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm'
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.wasm'
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import { receive } from '../parent-source.ts'
import { restrictProcess } from '../restrict-process.ts'
import type { ImageTask } from './image-encoder.ts'
import type { ImageType } from './image.ts'
import { resample, type Pixels } from './resample.ts'
import { scaleToSquare } from './scale-to-square.ts'
import { readScreenshot } from './screenshot.ts'

// Decodes and encodes images in a sandboxed process, which image-encoder.ts starts.

const maxSide = 3000
const maxOutputBytes = 2 * 1024 * 1024
const qualities = [82, 60, 35]

const decoders: Record<ImageType, (bytes: ArrayBuffer) => Promise<Pixels>> = {
  'image/jpeg': async (bytes) => {
    await initJpegDecoder(new WebAssembly.Module(jpegDecoder))
    return decodeJpeg(bytes, { preserveOrientation: true })
  },
  'image/png': async (bytes) => {
    await initPngDecoder(new WebAssembly.Module(pngCodec))
    return decodePng(bytes)
  },
  'image/webp': async (bytes) => {
    await initWebpDecoder(new WebAssembly.Module(webpDecoder))
    return decodeWebp(bytes)
  },
}

type Encoded = { width: number; height: number; bytes: Uint8Array }

const decode = (bytes: Buffer): Promise<Pixels> =>
  decoders[readScreenshot(bytes).type](new Uint8Array(bytes).buffer)

async function reencode(bytes: Buffer): Promise<Encoded> {
  const pixels = resample(await decode(bytes), maxSide)
  let encoded = new Uint8Array()
  for (const quality of qualities) {
    encoded = new Uint8Array(await encodeJpeg(pixels, { quality }))
    if (encoded.length <= maxOutputBytes) break
  }
  return { width: pixels.width, height: pixels.height, bytes: encoded }
}

async function encodeSquare(pixels: Pixels, side: number): Promise<Encoded> {
  await initPngEncoder(new WebAssembly.Module(pngCodec))
  const square = scaleToSquare(pixels, side)
  return { width: side, height: side, bytes: new Uint8Array(await encodePng(square)) }
}

function send(bytes: Uint8Array): void {
  const message = Buffer.alloc(4 + bytes.length)
  message.writeUInt32BE(bytes.length)
  message.set(bytes, 4)
  for (let sent = 0; sent < message.length;) sent += writeSync(1, message, sent)
}

restrictProcess()
// The decoders return images of browsers.
class ImageData implements Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData })
function sendImage(image: Encoded | undefined): void {
  send(Buffer.from(JSON.stringify(image === undefined ? null : { width: image.width, height: image.height })))
  send(image?.bytes ?? new Uint8Array())
}

// A decoder throws errors of any kind for a broken image.
async function sendScreenshots(count: number): Promise<void> {
  await initJpegEncoder(new WebAssembly.Module(jpegEncoder))
  for (let number = 0; number < count; number++) sendImage(await reencode(receive()).catch(() => undefined))
}

async function sendSquares(sides: readonly number[]): Promise<void> {
  const pixels = await decode(receive()).catch(() => undefined)
  for (const side of sides) sendImage(pixels && (await encodeSquare(pixels, side)))
}

const task = JSON.parse(receive().toString()) as ImageTask
await ('squares' in task ? sendSquares(task.squares) : sendScreenshots(task.screenshots))
