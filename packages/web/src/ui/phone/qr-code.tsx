import { encode } from 'uqr'

/** Draws a QR code. Phones read it in dark mode too, because it is always dark on white. */
export function QrCode({ text, size = 160, label }: { text: string; size?: number; label: string }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} rx="1.5" fill="#fff" />
      <path d={path} fill="#101418" />
    </svg>
  )
}
