import type { ComponentType, SVGProps } from 'react'

type IconProps = Omit<SVGProps<SVGSVGElement>, 'stroke'> & {
  /** Width and height in pixels. */
  size?: number
  /** Width of the lines, on a grid of 24 by 24. */
  stroke?: number
  color?: string
}

export type Icon = ComponentType<IconProps>

/** Returns a component that draws an SVG path. `paint` returns how, for a color and a width of lines. */
const icon =
  (path: string, paint: (color: string, stroke: number) => SVGProps<SVGSVGElement>): Icon =>
  ({ size = 24, stroke = 2, color = 'currentColor', ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...paint(color, stroke)}
      {...rest}
    >
      <path d={path} />
    </svg>
  )

/** Returns a component that draws the lines of an SVG path. */
export const outlineIcon = (path: string): Icon =>
  icon(path, (color, strokeWidth) => ({
    fill: 'none',
    stroke: color,
    strokeWidth,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  }))

/** Returns a component that fills an SVG path. */
export const filledIcon = (path: string): Icon => icon(path, (color) => ({ fill: color, stroke: 'none' }))
