export const githubIssuer = 'https://token.actions.githubusercontent.com';
export const gitlabIssuer = 'https://gitlab.com';
export const emptyForm = {
    provider: 'github',
    name: '',
    repository: '',
    repositoryId: '',
    branches: [],
    tags: [],
    environment: '',
    isProtected: true,
    issuer: githubIssuer,
    audience: '',
    claims: [{ name: 'sub', patterns: '' }],
    scopes: ['builds:create'],
};
const sourceClaims = {
    github: { path: 'repository', id: 'repository_id' },
    gitlab: { path: 'project_path', id: 'project_id' },
};
/** Returns the claims that the tokens of the CI runs must have. */
export function claimsOf(form) {
    if (form.provider === 'other')
        return Object.fromEntries(form.claims
            .filter(({ name }) => name.trim() !== '')
            .map(({ name, patterns }) => [name.trim(), oneOrMany(splitPatterns(patterns))]));
    const { path, id } = sourceClaims[form.provider];
    const refs = refsOf(form);
    return {
        ...(form.repository === '' ? {} : { [path]: form.repository.trim() }),
        ...(form.repositoryId === '' ? {} : { [id]: form.repositoryId.trim() }),
        ...(refs.length === 0 ? {} : { ref: oneOrMany(refs) }),
        ...(form.environment === '' ? {} : { environment: form.environment.trim() }),
        ...(form.provider === 'gitlab' && form.isProtected ? { ref_protected: 'true' } : {}),
    };
}
/** GitHub qualifies refs as `refs/heads/main` and `refs/tags/v1`; GitLab uses the plain names. */
function refsOf({ provider, branches, tags }) {
    if (provider === 'gitlab')
        return [...branches, ...tags];
    return [...branches.map((name) => `refs/heads/${name}`), ...tags.map((name) => `refs/tags/${name}`)];
}
/**
 * Returns the form of an existing publisher. A rule that the fields for GitHub or GitLab cannot express is shown as a
 * list of claims.
 */
export function formOf(publisher, defaultAudience) {
    const { name, issuer, audience, claims, scopes } = publisher;
    const other = {
        ...emptyForm,
        provider: 'other',
        name,
        issuer,
        audience: audience === defaultAudience ? '' : audience,
        scopes: [...scopes],
        claims: Object.entries(claims).map(([claim, value]) => ({
            name: claim,
            patterns: patternsOf(value).join(', '),
        })),
    };
    const provider = providerOf(issuer, claims);
    if (provider === undefined)
        return other;
    const { path, id } = sourceClaims[provider];
    const refs = patternsOf(claims['ref']);
    const isTag = (ref) => provider === 'github' && ref.startsWith('refs/tags/');
    const form = {
        ...other,
        provider,
        repository: patternsOf(claims[path])[0] ?? '',
        repositoryId: patternsOf(claims[id])[0] ?? '',
        branches: refs.filter((ref) => !isTag(ref)).map((ref) => ref.replace(/^refs\/heads\//, '')),
        tags: refs.filter(isTag).map((ref) => ref.slice('refs/tags/'.length)),
        environment: patternsOf(claims['environment'])[0] ?? '',
        isProtected: claims['ref_protected'] !== undefined,
    };
    return isSameClaims(claimsOf(form), claims) ? form : other;
}
/** Returns the CI system whose fields describe the tokens of an issuer. */
export function providerOf(issuer, claims) {
    if (/^https:\/\/token\.actions\.([^/]+\.)?(githubusercontent|ghe)\.com(\/|$)/.test(issuer))
        return 'github';
    const hasProject = 'project_path' in claims || 'project_id' in claims;
    return issuer === gitlabIssuer || hasProject ? 'gitlab' : undefined;
}
export const patternsOf = (value) => value === undefined ? [] : typeof value === 'string' ? [value] : value;
const splitPatterns = (text) => text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
const oneOrMany = (patterns) => patterns.length === 1 ? (patterns[0] ?? '') : patterns;
function isSameClaims(a, b) {
    const text = (claims) => JSON.stringify(Object.entries(claims)
        .map(([name, value]) => [name, patternsOf(value).toSorted()])
        .toSorted(([first], [second]) => String(first).localeCompare(String(second))));
    return text(a) === text(b);
}
