export const imageText = {
    hint: 'PNG, JPEG or WebP. Drop a file here or choose one. It is scaled to fit and never cropped.',
};
