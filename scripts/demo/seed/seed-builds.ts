import type { FullBuild } from '@quayside/sdk'
import { concurrently } from '../concurrently.ts'
import type { ApplicationPlan, PlatformPlan } from '../plan/application-plan.ts'
import { billOfMaterials, changeNotes, junitReport } from '../plan/artifacts.ts'
import type { RunPlan } from '../plan/build-plan.ts'
import { createRandom, sha1Of } from '../random.ts'
import { hoursAfter, type Seeding } from '../seeding.ts'
import { uploadArtifact, uploadBuild } from '../upload.ts'
import { versionOf, type FileMaker } from './build-file.ts'
import type { SeededApplication } from './seed-application.ts'

export type SeededBuild = { id: string; run: RunPlan; platform: string; application: SeededApplication }

const uploadsAtOnce = 4

/** Uploads the builds of these runs with the keys of the CI systems and returns them, oldest first. */
export async function seedBuilds(
  seeding: Seeding,
  runs: { application: SeededApplication; run: RunPlan }[],
  fileOf: FileMaker,
): Promise<SeededBuild[]> {
  const ordered = runs.toSorted((a, b) => a.run.at.getTime() - b.run.at.getTime())
  const planned = ordered.flatMap(({ application, run }) =>
    run.platforms.map((platform, index) => ({ application, run, platform, index })),
  )
  const builds = new Map<number, SeededBuild>()
  await concurrently(
    planned.entries(),
    uploadsAtOnce,
    async ([position, { application, run, platform, index }]) => {
      const { plan } = application
      const build = await uploadBuild(
        application.ci,
        fieldsOf(application, run, platform),
        fileOf(plan, run, platform),
      )
      // The jobs of a run end one after the other.
      const at = hoursAfter(run.at, index / 20)
      seeding.journal.record({ subject: build.id, at: at < seeding.now ? at : run.at })
      if (index === 0) await addArtifacts(seeding, application, run, build)
      builds.set(position, { id: build.id, run, platform: platform.platform, application })
      if (builds.size % 50 === 0) seeding.log(`  ${builds.size} of ${planned.length} builds`)
    },
  )
  return [...builds].toSorted(([a], [b]) => a - b).map(([, build]) => build)
}

function fieldsOf({ id, plan }: SeededApplication, run: RunPlan, platform: PlatformPlan) {
  const [major, minor, patch] = run.version
  const { architectures, customTarget } = platform
  return {
    application_id: id,
    platform: platform.platform,
    stream: run.stream,
    version_component_1_major: major,
    version_component_2_minor: minor,
    version_component_3_patch: patch,
    ...(run.extra === undefined ? {} : { version_component_extra: run.extra }),
    custom_build_number: String(run.number),
    labels: run.labels.filter((label) => label !== ''),
    ...(architectures.length === 0 ? {} : { architectures }),
    ...(customTarget === undefined ? {} : { custom_target: customTarget }),
    notes: run.commits.map((commit) => `- ${commit}`).join('\n'),
    ...originOf(plan, run),
  }
}

/** Returns the CI run and the commit as each CI system reports them. */
function originOf({ ci, repository, slug }: ApplicationPlan, run: RunPlan) {
  const seconds = createRandom(`${slug} ${run.number}`).integer(180, 1500)
  const runId = 90_000_000 + run.number * 6_151
  const hosts = { ghactions: 'github', 'gitlab-ci': 'gitlab', jenkins: 'git' }
  const base = `https://${hosts[ci]}.brindle.example/brindle/${repository}`
  const pipelines = {
    ghactions: { url: `${base}/actions/workflows/build.yml`, run: `${base}/actions/runs/${runId}` },
    'gitlab-ci': { url: `${base}/-/pipelines`, run: `${base}/-/pipelines/${runId}` },
    jenkins: {
      url: `https://jenkins.brindle.example/job/${slug}`,
      run: `https://jenkins.brindle.example/job/${slug}/${run.number}/`,
    },
  }
  return {
    source: ci,
    ci_pipeline: run.stream === 'nightlies' ? 'nightly' : 'build',
    ci_pipeline_url: pipelines[ci].url,
    ci_run_id: String(ci === 'jenkins' ? run.number : runId),
    ci_run_url: pipelines[ci].run,
    ci_build_duration: new Date(seconds * 1000).toISOString().slice(11, 19),
    vc_host_type: 'git',
    vc_host: { ghactions: 'github', 'gitlab-ci': 'gitlab-self', jenkins: 'forgejo' }[ci],
    vc_repo_name: `brindle/${repository}`,
    vc_repo_url: base,
    vc_branch: run.branch,
    vc_commit_sha: run.sha,
    vc_commit_url: `${base}/${ci === 'gitlab-ci' ? '-/' : ''}commit/${run.sha}`,
  }
}

/** Adds the reports that the run created, and all of them to builds of the stream `stable`. */
async function addArtifacts(
  seeding: Seeding,
  { ci, plan }: SeededApplication,
  run: RunPlan,
  build: FullBuild,
): Promise<void> {
  const random = createRandom(`${seeding.seed} artifacts of ${plan.slug} ${run.number}`)
  if (run.stream === 'default' || (run.stream === 'nightlies' && !random.chance(0.15))) return
  const subject = { name: plan.name, version: versionOf(run), commits: run.commits, random }
  const artifacts = [junitReport(subject)]
  if (run.stream === 'stable') artifacts.push(billOfMaterials(subject), changeNotes(subject))
  for (const artifact of artifacts)
    seeding.journal.record({ subject: await uploadArtifact(ci, build.id, artifact), at: run.at })
}

/** Uploads a truncated package, whose processing fails, and returns the ID of the build. */
export async function seedDamagedBuild(
  seeding: Seeding,
  application: SeededApplication,
  run: RunPlan,
  fileOf: FileMaker,
): Promise<string> {
  const platform = application.plan.platforms.find(({ kind }) => kind === 'apk')
  if (platform === undefined) throw new Error(`${application.plan.name} has no Android package.`)
  const damaged = { ...run, extra: 'dev.10', number: run.number + 1, sha: sha1Of(`damaged ${run.sha}`) }
  const { filename, content } = fileOf(application.plan, damaged, platform)
  const truncated = { filename, content: content.subarray(0, content.length * 0.6) }
  const build = await uploadBuild(application.ci, fieldsOf(application, damaged, platform), truncated)
  seeding.journal.record({ subject: build.id, at: hoursAfter(run.at, -2) })
  return build.id
}

/** Keeps an old nightly build, moves a build to another stream, labels builds and moves builds to the trash. */
export async function editBuilds(
  { client, journal, now, random }: Seeding,
  builds: readonly SeededBuild[],
): Promise<void> {
  const byStream = (stream: string) => builds.filter(({ run }) => run.stream === stream)
  const edit = async (
    { id, application, run }: SeededBuild,
    body: Parameters<typeof client.updateBuild>[0]['body'],
  ) => {
    await client.updateBuild({ application_id: application.id, build_id: id, body })
    const at = hoursAfter(run.at, random.between(0.5, 5))
    const by = application.plan.lead
    journal.record({ subject: id, action: 'build.updated', at: at < now ? at : now, by })
  }
  for (const build of byStream('nightlies').slice(0, 2)) await edit(build, { keep_forever: true })
  const [tested, ...others] = byStream('beta').toReversed()
  if (tested !== undefined) {
    const notes = `**Tested on the train from Porto.**\n\n- Sync resumes after each tunnel\n- Battery: 6 % in two hours\n\nReady for everyone.`
    await edit(tested, { notes, labels: [...new Set([...tested.run.labels, 'qa-passed'])] })
  }
  for (const build of others.slice(0, 2)) await edit(build, { labels: [...build.run.labels, 'LTS'] })

  const playable = byStream('nightlies').filter(({ application }) => application.plan.slug === 'lantern-deep')
  for (const build of playable.slice(-6, -1))
    await edit(build, { labels: [...new Set([...build.run.labels, 'cert-candidate'])] })

  // Builds are purged a week after they have been moved to the trash.
  const discarded = byStream('default').filter(({ run }) => run.at < hoursAfter(now, -7 * 24))
  const last = discarded.slice(-5)
  for (const [index, { id, application }] of last.entries()) {
    await client.deleteBuild({ application_id: application.id, build_id: id })
    const at = hoursAfter(now, -5 - index * 22)
    journal.record({ subject: id, action: 'build.deleted', at, by: application.plan.lead })
  }
}
