/** The names of the systems that upload builds, by the identifier in `build_source`. */
export const uploadSourceNames = {
    'web-upload': 'Web Upload',
    'cli-upload': 'CLI Upload',
    ghactions: 'GitHub Actions',
    jenkins: 'Jenkins',
    'unity-build': 'Unity Build Automation',
    'gitlab-ci': 'GitLab CI',
    'azure-devops': 'Azure DevOps',
    circleci: 'CircleCI',
    travisci: 'Travis CI',
    appveyor: 'AppVeyor',
    teamcity: 'TeamCity',
    'bitbucket-pipelines': 'Bitbucket Pipelines',
    bitrise: 'Bitrise',
    codemagic: 'Codemagic',
    buildkite: 'Buildkite',
    'google-cloud-build': 'Google Cloud Build',
    bamboo: 'Bamboo',
    semaphore: 'Semaphore',
    'aws-codebuild': 'AWS CodeBuild',
    abstruse: 'Abstruse',
    'cirrus-ci': 'Cirrus CI',
    drone: 'Drone',
    concourse: 'Concourse',
};
const shortNames = {
    'aws-codebuild': 'CodeBuild',
    'azure-devops': 'Azure',
    'bitbucket-pipelines': 'Bitbucket',
    'cli-upload': 'CLI',
    ghactions: 'GitHub',
    'gitlab-ci': 'GitLab',
    'google-cloud-build': 'Cloud Build',
    'unity-build': 'Unity',
    'web-upload': 'Web',
};
/** Returns the name of an upload source for narrow columns. */
export const shortSourceName = (source) => shortNames[source] ?? uploadSourceNames[source] ?? source;
