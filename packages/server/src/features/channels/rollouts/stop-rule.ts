/** When reports of failures stop a rollout. */
export type StopRule = { failuresPercent: number; minimumReports: number }

/** The number of reports of a version since its rollout began. */
export type ReportTotals = { installed: number; failed: number }

/** Returns whether enough reports were received, and the share of failures has reached the limit. */
export function isLimitReached(
  { failuresPercent, minimumReports }: StopRule,
  { installed, failed }: ReportTotals,
): boolean {
  const reports = installed + failed
  return reports >= minimumReports && failed * 100 >= failuresPercent * reports
}

export const sumReports = (reports: readonly ReportTotals[] = []): ReportTotals => ({
  installed: reports.reduce((sum, { installed }) => sum + installed, 0),
  failed: reports.reduce((sum, { failed }) => sum + failed, 0),
})
