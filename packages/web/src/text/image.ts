export const imageText = {
  hint: 'PNG, JPEG or WebP. Drop a file here or choose one. It is scaled to fit and never cropped.',
  unreadable: 'This file is not an image that your browser can read. Choose a PNG, JPEG or WebP file.',
  noCanvas: 'Your browser cannot draw images.',
}
