/** Labels the latest period, and others at equal distances. */
export const periodAxis = {
  tickMargin: 8,
  interval: 'equidistantPreserveEnd',
  minTickGap: 40,
} as const
