import { sql, type Selectable } from 'kysely'
import { architectureResource } from '../../catalog/architectures.ts'
import { platformResource } from '../../catalog/platforms.ts'
import { nameOrder, sizeText } from '../../database/expressions.ts'
import { computed, jsonArrayFrom, jsonObject, jsonRowFrom } from '../../database/json-text.ts'
import type { Database } from '../../database/tables.ts'
import { selectCustomTargetJson } from '../custom-targets/custom-target.db.ts'
import { iconUrl } from '../icons/icon.ts'
import { selectLabelJson } from '../labels/label.db.ts'
import { Stream } from '../streams/stream.ts'
import { selectArtifactJson } from './artifacts/metadata-artifact.db.ts'
import { buildLinks, CiPipeline, linkedAddresses, Scm } from './build-origin.ts'
import { consoleUrl, downloadUrl } from './build.ts'
import { selectFileJson } from './files/file.db.ts'

type Columns = Selectable<Database['builds']>
export const column = <Name extends keyof Columns>(name: Name) => sql.ref<Columns[Name]>(`builds.${name}`)
const ids = [column('application_id'), column('id')] as const
const addresses = linkedAddresses.map((name) => column(name))
const shortVersion = sql<string>`builds.version_major || '.' || builds.version_minor || '.' || builds.version_patch`

/** The fields of a build that are not columns of the same name. */
export const buildFields = {
  version: sql<string>`concat(${shortVersion}, '-' || builds.version_extra, '+' || builds.version_meta)`,
  version_short: shortVersion,
  version_semantic_major: column('version_major'),
  version_semantic_minor: column('version_minor'),
  version_semantic_patch: column('version_patch'),
  version_semantic_extra: column('version_extra'),
  version_semantic_meta: column('version_meta'),
  platform: computed([column('platform')], ([slug]) => platformResource(slug)),
  stream: jsonObject(Stream, 'streams', {}),
  custom_target: jsonRowFrom(
    selectCustomTargetJson,
    sql`from custom_targets where custom_targets.id = builds.custom_target_id`,
  ),
  labels: jsonArrayFrom(
    selectLabelJson,
    sql`from build_labels join labels on labels.id = build_labels.label_id where build_labels.build_id = builds.id`,
    sql`${nameOrder('labels.name')}, labels.id`,
  ),
  architectures: computed([column('architectures')], ([slugs]) => slugs.map(architectureResource)),
  size_total_string: sizeText(column('size_total_bytes')),
  ci_pipeline: jsonObject(CiPipeline, 'builds', {}),
  scm: jsonObject(Scm, 'builds', { scm_commit_sha_short: sql<string>`left(builds.scm_commit_sha, 7)` }),
  links: computed(addresses, buildLinks),
  icon_url: computed([column('icon_object_key')], ([key], { publicUrl }) => iconUrl(publicUrl, key)),
  pending: sql<boolean>`false`,
  pending_processing: sql<boolean>`builds.processing = 'waiting'`,
  modal_url: computed(ids, ([application, id], config) => consoleUrl(config, application, id)),
  download_url: computed(ids, ([application, id], config) => downloadUrl(config, application, id)),
}

/** The files and artifacts of a build. Requires a join with its primary file. */
export const buildContents = {
  primary_file: selectFileJson,
  expansion_files: jsonArrayFrom(
    selectFileJson,
    sql`from files where files.build_id = builds.id and files.role = 'expansion'`,
    sql`files.id`,
  ),
  metadata_artifacts: jsonArrayFrom(
    selectArtifactJson,
    sql`from metadata_artifacts where metadata_artifacts.build_id = builds.id`,
    sql`metadata_artifacts.created_at, metadata_artifacts.id`,
  ),
}
