import type { Tx } from '../../database/transaction.ts'

type Labelled = { id: string; application_id: string; workspace_id: string; labels: { id: string }[] }

export async function insertBuildLabels(tx: Tx, builds: readonly Labelled[]): Promise<void> {
  const rows = builds.flatMap(({ id, application_id, workspace_id, labels }) =>
    labels.map((label) => ({ build_id: id, label_id: label.id, application_id, workspace_id })),
  )
  if (rows.length === 0) return
  await tx.insertInto('build_labels').values(rows).execute()
}
