/** Over fewer days, a chart would be a single spike. */
const minChartDays = 3

/** Returns whether the values, one per day, begin so late that a chart over time shows nothing. */
export function isShortHistory(series: readonly { values: readonly number[] }[]): boolean {
  return series.every(({ values }) => {
    const first = values.findIndex((value) => value > 0)
    return first === -1 || values.length - first < minChartDays
  })
}
