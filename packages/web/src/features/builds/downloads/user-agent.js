const browsers = [
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser\//, 'Samsung Internet'],
    [/Firefox\/|FxiOS\//, 'Firefox'],
    [/Chrome\/|CriOS\//, 'Chrome'],
    [/Version\/[\d.]+.*Safari\//, 'Safari'],
];
const systems = [
    [/Android/, 'Android'],
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Windows/, 'Windows'],
    [/Mac OS X|Macintosh/, 'macOS'],
    [/CrOS/, 'ChromeOS'],
    [/Linux/, 'Linux'],
];
/** Returns the program and system that a user agent names, such as `Chrome on Android`. */
export function describeUserAgent(userAgent) {
    if (userAgent === null || userAgent === '')
        return '–';
    const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
    const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
    if (browser === undefined)
        return userAgent.split(/[\s(]/, 1)[0] ?? userAgent;
    return system === undefined ? browser : `${browser} on ${system}`;
}
