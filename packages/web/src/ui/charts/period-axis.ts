/** Labels the first period, and others at equal distances. */
export const periodAxis = {
  tickMargin: 8,
  interval: 'equidistantPreserveStart',
  minTickGap: 40,
} as const
