type Props = { values: readonly number[]; width?: number; height?: number; label: string }

/** Draws one bar per value, with a hairline for zero, so that quiet days are visible too. */
export function Sparkline({ values, width = 160, height = 32, label }: Props) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  const bar = Math.max(1, step - 1.5)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const barHeight = value === 0 ? 1 : Math.max(3, (value / max) * (height - 1))
        return (
          <rect
            // The position is the identity of a day.
            key={index}
            x={index * step}
            y={height - barHeight}
            width={bar}
            height={barHeight}
            rx={Math.min(1.5, bar / 2)}
            fill={value === 0 ? 'var(--q-line-strong)' : 'var(--q-accent)'}
          />
        )
      })}
    </svg>
  )
}
