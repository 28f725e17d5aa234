// Edge and Opera also contain "Chrome", and all of them contain "Safari", so the order matters.
const browsers = [
    [/Edg(e|A|iOS)?\//, 'Edge'],
    [/OPR\/|Opera/, 'Opera'],
    [/Firefox\/|FxiOS\//, 'Firefox'],
    [/Chrome\/|CriOS\//, 'Chrome'],
    [/Safari\//, 'Safari'],
    [/curl\//, 'curl'],
];
const systems = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/CrOS/, 'ChromeOS'],
    [/Windows/, 'Windows'],
    [/Mac OS X|Macintosh/, 'macOS'],
    [/Linux|X11/, 'Linux'],
];
/** Returns the browser and the operating system that a user agent names. */
export function deviceName(userAgent) {
    const find = (names) => names.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1];
    const system = find(systems);
    return {
        browser: find(browsers) ?? 'Unknown browser',
        system: system ?? 'unknown system',
        isPhone: system === 'iPhone' || (system === 'Android' && /Mobile/.test(userAgent ?? '')),
    };
}
