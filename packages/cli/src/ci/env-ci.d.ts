declare module 'env-ci' {
  /** Reads the environment of a CI service. Outside CI, returns only the commit and branch of the local repository. */
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
