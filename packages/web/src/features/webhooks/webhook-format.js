const hosts = [
    [/^hooks\.slack(-gov)?\.com$/, 'slack'],
    [/(^|\.)discord(app)?\.com$/, 'discord'],
    [/\.logic\.azure\.(com|us)$|\.powerplatform\.com$/, 'teams'],
];
/** Returns the format to suggest for a URL. The person can select another one. */
export function suggestedFormat(url) {
    const host = URL.parse(url.trim())?.hostname ?? '';
    return hosts.find(([pattern]) => pattern.test(host))?.[1] ?? 'json';
}
/** Returns whether the receiver is a chat service, which does not verify signatures. */
export const isChatFormat = (format) => format !== 'json' && format !== 'form';
