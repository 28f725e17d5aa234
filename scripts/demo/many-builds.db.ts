import pg from 'pg'

type ManyBuilds = {
  applicationId: string
  /** An existing build of the application, whose platform and origin the new builds have. */
  buildId: string
  count: number
}

const batchSize = 20_000

/**
 * Inserts copies of a build into each application, with other versions, branches, commits and sizes, spread over two
 * years. Each copy has a file record, but no bytes are stored.
 */
export async function insertManyBuilds(
  databaseUrl: string,
  applications: readonly ManyBuilds[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const { applicationId, buildId, count } of applications)
      for (let first = 0; first < count; first += batchSize)
        await client.query(statement, [
          applicationId,
          buildId,
          first,
          Math.min(first + batchSize, count) - 1,
          count,
        ])
    await client.query('analyze builds, files, stored_objects')
  } finally {
    await client.end()
  }
}

const statement = `
  with numbered as materialized (
    select n, 'm' || substr(md5($2 || n), 1, 11) as id, 'many-' || md5($2 || n) as key,
      n / 10000 as major, n / 100 % 100 as minor, n % 100 as patch, md5('commit ' || n) || substr(md5($2 || n), 1, 8) as sha,
      (1000000 + hashint4(n)::bigint % 900000)::bigint as bytes,
      now() - interval '2 years' * (1 - n::float8 / $5::int) as at,
      case n % 5 when 0 then 'main' when 1 then 'release/' || n / 10000 || '.' || n / 100 % 100 else 'feature/task-' || n / 40 end
        as branch
    from generate_series($3::int, $4::int) as n
  ), objects as (
    insert into stored_objects (key, size_bytes, segments) select key, bytes, '[]' from numbered
  ), copies as (
    insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
      version_sort, build_number, platform, stream_id, architectures, notes, size_total_bytes, build_source,
      scm_host_type, scm_host, scm_repo_name, scm_repo_url, scm_branch, scm_commit_sha, built_at, created_at)
    select numbered.id, workspace_id, application_id, build_structure, major, minor, patch,
      lpad(major::text, 4, '0') || lpad(minor::text, 4, '0') || lpad(patch::text, 4, '0') || '~', n::text, platform,
      (select id from streams where application_id = $1 order by name offset n % 3 limit 1), architectures, notes, bytes,
      build_source, scm_host_type, scm_host, scm_repo_name, scm_repo_url, branch, sha, at, at
    from numbered, builds where builds.id = $2 and builds.application_id = $1
  )
  insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
  select gen_random_uuid(), numbered.id, 'primary', 'build-' || n || '.zip', bytes, 'zip', key from numbered`
