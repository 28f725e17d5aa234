const colors = ['quay.6', 'teal.6', 'yellow.6', 'grape.5', 'orange.6', 'gray.5', 'cyan.6', 'pink.5', 'lime.6']

/** Returns the color of a series of a chart by its position, as a name of the theme. */
export const seriesColor = (position: number): string => colors[position % colors.length] ?? 'gray.5'

/** Returns the color of a series for CSS. */
export const seriesCssColor = (position: number): string =>
  `var(--mantine-color-${seriesColor(position).replace('.', '-')})`
