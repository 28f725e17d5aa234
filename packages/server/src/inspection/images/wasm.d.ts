declare module '*.wasm' {
  /** The module as bytes. scripts/build/programs.ts includes them in the program. */
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}

// The types of Node.js do not declare what the decoders use of browsers.
declare namespace WebAssembly {
  type Module = object
  const Module: new (bytes: Uint8Array) => Module
}
interface ImageData {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}
