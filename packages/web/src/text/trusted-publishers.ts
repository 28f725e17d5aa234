export const publisherText = {
  section:
    'CI runs that match a trusted publisher get a key for 15 minutes, so you do not need to store a secret in CI.',
  none: 'Choose which repository, branch and environment can upload. CI runs then authenticate with their own token.',
  githubId: (repository: string) =>
    `Safer than the name, which someone else can take over after a rename. Find it with: gh api repos/${repository === '' ? 'OWNER/NAME' : repository} --jq .id`,
  gitlabId:
    'Safer than the path, which someone else can take over after a rename. Shown in the project under Settings → General.',
  branches: 'Press Enter after each one. * matches any number of characters.',
  tags: 'Without branches and tags, every branch and tag is accepted.',
  environment: 'Only jobs that deploy to this environment.',
  protected: 'Only protected branches and tags',
  anyRef: 'Anyone who can push to any branch can get a key. Add a branch, a tag or an environment.',
  issuer: 'HTTPS URL, exactly as in the iss claim of the tokens.',
  audience: 'The aud claim of the tokens. Defaults to the URL of this server.',
  claims:
    'All of these claims must match. Separate several allowed values by commas; * matches any characters.',
  snippet: 'Add this to the CI configuration. It needs no stored secret.',
  edited: 'Changing anything but the name revokes the keys this publisher has issued.',
  delete: 'CI runs can no longer get keys through this publisher. Keys it issued are revoked.',
  check:
    'Paste a token from a CI run to see whether it is accepted. It is sent only to this server. A token can be exchanged ten times and expires within minutes.',
  accepted: 'The token is accepted. The issued key was discarded and expires in 15 minutes.',
  notJwt: 'This is not a JSON Web Token. A token has three parts, separated by dots.',
  enterRepository: 'Enter the repository or its ID.',
  enterIssuer: 'Enter the issuer URL.',
}

/** What to do about an error of the token exchange. */
export const exchangeHints: Readonly<Record<string, string>> = {
  'oidc.algorithm': 'Configure the issuer to sign tokens with RS256, ES256 or EdDSA.',
  'oidc.token_expired': 'Request a token just before you send it.',
  'oidc.token_not_yet_valid': 'Check the clocks of the CI runner and this server.',
  'oidc.claims': 'Change the workflow or the publisher so that their claims match.',
  'oidc.not_trusted':
    'Compare the claims below. If all of them match, the signature is invalid or the token comes from another issuer.',
  'oidc.issuer_unusable': 'Fix the discovery document or keys on the issuer.',
  'oidc.token_used_up': 'Request another token.',
  'oidc.issuer_unreachable': 'If it still fails later, check the network of this server.',
}
