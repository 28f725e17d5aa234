declare module 'env-ci' {
  /** What env-ci reads from a CI service's environment; outside CI only commit and branch of the local repository. */
  export default function envCi(options: { env: Record<string, string | undefined>; cwd: string }): {
    isCi: boolean
    service?: string
    build?: string
    buildUrl?: string
    branch?: string
    prBranch?: string
    commit?: string
    tag?: string
    slug?: string
  }
}
