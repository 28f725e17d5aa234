import { sql } from 'kysely'
import type { Service } from './harness.ts'

/** Inserts copies of a build into the database. Each copy has a file record, but no bytes are stored. */
export async function copyBuild({ deps }: Service, id: string, count: number): Promise<void> {
  await sql`
    with number as materialized (
      select n, 'c' || substr(md5(${id} || n), 1, 9) as id, gen_random_uuid() as key
      from generate_series(1, ${count}::int) n
    ), object as (
      insert into stored_objects (key, size_bytes, segments) select key::text, 1, '[]' from number
    ), build as (
      insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor,
        version_patch, version_sort, platform, stream_id, size_total_bytes, build_source)
      select number.id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
        version_sort, platform, stream_id, 1, build_source
      from builds, number where builds.id = ${id}
    )
    insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
    select gen_random_uuid(), number.id, 'primary', 'copy.zip', 1, 'zip', number.key::text from number
  `.execute(deps.db)
}
