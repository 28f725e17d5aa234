import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

const folder = join(import.meta.dirname, '../../../deploy/monitoring')

/** Returns the expressions of the dashboard and of the alert rules. */
export async function monitoringExpressions(): Promise<string[]> {
  const dashboard = JSON.parse(await readFile(join(folder, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const alerts = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[]
  }
  return [
    ...dashboard.panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr),
    ...alerts.groups.flatMap(({ rules }) => rules).map(({ expr }) => expr),
  ]
}

export const monitoringFolder = folder
