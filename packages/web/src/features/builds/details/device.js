/** Returns the kind of device on which the console is open. An iPad reports itself as a Mac with a touch screen. */
export function thisDevice() {
    const { userAgent, maxTouchPoints } = navigator;
    if (/android/i.test(userAgent))
        return 'android';
    if (/iphone|ipad|ipod/i.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1))
        return 'ios';
    return 'desktop';
}
/** Returns whether builds of the platform are installed on phones and tablets. */
export const isHandheld = ({ identifier }) => handheldPlatforms.has(identifier);
const handheldPlatforms = new Set(['android', 'ios', 'kaios']);
/** Returns what a person most likely wants to do with a build on this device. */
export function mainActionOf({ platform }, device) {
    if (device === 'android' && platform.identifier === 'android')
        return 'install';
    if (device === 'desktop' && isHandheld(platform))
        return 'scan';
    return 'download';
}
